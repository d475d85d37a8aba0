/** What every way of serving HTTP takes. */
export interface HttpOptions {
  /**
   * Host names (`example.com`) or hosts with a port (`example.com:8443`) that requests may name.
   * Default: over the loopback interface `localhost`, `127.0.0.1` and `[::1]` with any port, else
   * anything.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Origins (`https://app.example.com`) from which browsers may call, also with CORS. Default: over
   * the loopback interface `http(s)://localhost`, `127.0.0.1` and `[::1]` with any port, else none.
   */
  readonly allowedOrigins?: readonly string[];
}

/** The options in the form that each request is checked against. */
export interface HttpRules {
  readonly hosts: ReadonlySet<string> | undefined;
  readonly origins: ReadonlySet<string> | undefined;
}

/** Checks and prepares the options. Throws `TypeError` naming the option. */
export function toRules({ allowedHosts, allowedOrigins }: HttpOptions): HttpRules {
  for (const origin of allowedOrigins ?? []) {
    if (!/^[a-z][a-z\d+.-]*:\/\/[^/?#@\s]+$/i.test(origin)) {
      throw new TypeError(
        `allowedOrigins: "${origin}" must be an origin such as https://app.example.com`,
      );
    }
  }
  for (const host of allowedHosts ?? []) {
    if (host === "" || /[/\s]/.test(host)) {
      throw new TypeError(`allowedHosts: "${host}" must be a host name such as example.com`);
    }
  }
  return {
    hosts: allowedHosts && new Set(allowedHosts.map((host) => host.toLowerCase())),
    origins: allowedOrigins && new Set(allowedOrigins.map((origin) => origin.toLowerCase())),
  };
}
