/** Variables that a program needs to run and that hold no secrets. */
const safeNames: readonly string[] =
  process.platform === "win32"
    ? [
        "APPDATA",
        "COMSPEC",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "NUMBER_OF_PROCESSORS",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
        "WINDIR",
      ]
    : ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];

/**
 * The environment of a server: what is inherited (`safe`: a short list such as PATH and HOME) with
 * `env` on top.
 */
export function serverEnvironment(
  env: Readonly<Record<string, string>> = {},
  inherit: "safe" | "all" | "none" = "safe",
): NodeJS.ProcessEnv {
  if (inherit === "none") return { ...env };
  if (inherit === "all") return { ...process.env, ...env };
  const inherited = safeNames.flatMap((name) => {
    const value = process.env[name];
    // A shell function in a variable would be run by old shells.
    return value === undefined || value.startsWith("()") ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...env };
}
