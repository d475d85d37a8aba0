/** Which kinds of answer a client takes. */
export interface AcceptedTypes {
  readonly json: boolean;
  readonly events: boolean;
}

/** What nearly every client sends. spec: HTTP-6 */
export const usualAccept = "application/json, text/event-stream";

/** Both kinds. */
export const anyType: AcceptedTypes = Object.freeze({ json: true, events: true });

/** What an `Accept` header allows; without one, everything. A type with `q=0` is not allowed. */
export function acceptedTypes(accept: string | undefined): AcceptedTypes {
  if (accept === undefined || accept === usualAccept) return anyType;
  const ranges = new Map<string, boolean>();
  for (const range of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    ranges.set(type, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)));
  }
  const allows = (type: string, group: string): boolean =>
    ranges.get(type) ?? ranges.get(group) ?? ranges.get("*/*") ?? false;
  return {
    json: allows("application/json", "application/*"),
    events: allows("text/event-stream", "text/*"),
  };
}
