/** Words that libraries use for what came without quoting it. */
const typeNames: ReadonlySet<string> = new Set([
  "array",
  "bigint",
  "boolean",
  "null",
  "number",
  "object",
  "string",
  "undefined",
  "nan",
]);

const maxRuleLength = 300;

/**
 * The message of a schema library's issue as one line that does not tell the offending value: zod 3,
 * valibot and arktype quote it. A message that still holds the value becomes a general one. Takes
 * linear time, whatever the value.
 */
export function toRule(message: string, value: unknown): string {
  const rule = withoutSubject(message.replaceAll(/\s+/g, " "))
    // arktype: `must be a number (was "x")`, `must be a JSON string (SyntaxError: … "x" …)`
    .replace(/ ?\((?:was |\w*Error\b).*$/, "")
    // valibot: `Expected number but received "x"`, `Invalid email: Received "x"`; zod 3: `, received 'x'`
    .replace(/(?:,| but|:)? (?:received|got|actual) (.*)$/i, (tail: string, what: string) =>
      typeNames.has(what.toLowerCase()) ? tail : "",
    )
    .slice(0, maxRuleLength)
    .trim();
  return rule === "" || quotes(rule, value) ? "is not valid" : rule;
}

/** arktype's `a ("x") must be... ◦ …` without the value. */
function withoutSubject(message: string): string {
  const start = message.indexOf(" (");
  const end = message.lastIndexOf(") must be...");
  if (start === -1 || end < start) return message;
  return `${message.slice(0, start)} must be:${message.slice(end + ") must be...".length)}`;
}

const prefixLength = 12;

/** True when the text holds the value as a word, or the beginning of a long one. */
function quotes(text: string, value: unknown): boolean {
  if (typeof value !== "string" && typeof value !== "number") return false;
  const whole = String(value).replaceAll(/\s+/g, " ").trim();
  // Up to three letters are words of most messages, unless they stand between quotes.
  if (typeof value === "string" && whole.length < 4) {
    return whole !== "" && text.split(/["'`]/).slice(1, -1).includes(whole);
  }
  const start = whole.slice(0, prefixLength);
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    const isWholeWord = whole.length > prefixLength || !isWord(text[at + start.length]);
    if (isWholeWord && !isWord(text[at - 1])) return true;
  }
  return false;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
