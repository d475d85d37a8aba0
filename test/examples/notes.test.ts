import { describe, expect, test } from "vitest";
import { isNoteId, type Notes, openNotes } from "../../examples/demo/src/notes.ts";
import { temporaryFolder } from "../support/folder.ts";

async function notesOf(...texts: readonly string[]): Promise<Notes> {
  const notes = await openNotes(temporaryFolder());
  texts.forEach((text, index) => notes.save({ title: `Title ${index}`, text, tags: [] }));
  return notes;
}

function textsFound(notes: Notes, query: string): readonly (string | undefined)[] {
  return notes.search(query).notes.map(({ id }) => notes.read(id)?.text);
}

describe("full-text search", () => {
  test.each([
    ["a quote", 'say "cheese"', 'say "cheese'],
    ["a prefix operator", "star*dust", "star* dust"],
    ["a column filter", "text: none", "text:none"],
    ["a minus", "sub-zero", "-sub -zero"],
    ["NEAR", "NEAR the 2 seas", "NEAR(the seas, 2)"],
    ["AND, OR and NOT", "this AND OR NOT that", "NOT OR AND"],
    ["parentheses and a caret", "(caret) ^first", "^(caret"],
    ["a NUL", "before after", "before\0after"],
  ])("takes %s as text", async (_name, text, query) => {
    const notes = await notesOf(text, "something else");

    expect(textsFound(notes, query)).toEqual([text]);
    notes.close();
  });

  test.each([
    ["upper case", "ZÜRICH"],
    ["no accents", "zurich"],
    ["the beginning of a word", "zür"],
    ["a combining accent", "Zu\u0308rich"],
    ["another script", "Кириллица"],
    ["words in any order", "кир zürich"],
  ])("finds a note by %s", async (_name, query) => {
    const notes = await notesOf("Zürich, кириллица, 日本語", "Bern");

    expect(textsFound(notes, query)).toHaveLength(1);
    notes.close();
  });

  test("wants every word", async () => {
    const notes = await notesOf("red apple", "red pear");

    expect(textsFound(notes, "red pear")).toEqual(["red pear"]);
    notes.close();
  });

  test.each(["", "  ", '"', "*", "()", "\u0301", "🙂"])(
    "gives the latest notes for %j, which has no word",
    async (query) => {
      const notes = await notesOf("older", "newer");

      expect(textsFound(notes, query)).toEqual(["newer", "older"]);
      notes.close();
    },
  );

  test("forgets replaced and deleted texts", async () => {
    const notes = await notesOf("walnut");
    const { id, revision } = notes.save({ title: "Title 0", text: "hazel", tags: [] });

    expect(revision).toBe(2);
    expect(textsFound(notes, "walnut")).toEqual([]);
    expect(textsFound(notes, "hazel")).toEqual(["hazel"]);
    expect(notes.remove(id)).toBe(true);
    expect(textsFound(notes, "hazel")).toEqual([]);
    notes.close();
  });

  test("filters by the whole tag, whatever characters it has", async () => {
    const notes = await notesOf("untagged");
    notes.save({ title: "a", text: "tagged", tags: ['x"a', "100%"] });

    expect(notes.search("tagged", 'x"a').notes).toHaveLength(1);
    expect(notes.search("", "100%").notes).toHaveLength(1);
    expect(notes.search("", "a").notes).toEqual([]);
    notes.close();
  });

  test("says when there is more than one page", async () => {
    const notes = await notesOf(...Array.from({ length: 21 }, (_, index) => `common ${index}`));

    expect(notes.search("common")).toMatchObject({ hasMore: true, notes: { length: 20 } });
    expect(notes.search("common 7")).toMatchObject({ hasMore: false, notes: { length: 1 } });
    notes.close();
  });

  test("shows the place of the match in a long text", async () => {
    const notes = await notesOf(`${"filler ".repeat(500)}needle ${"filler ".repeat(500)}`);

    expect(notes.search("needle").notes[0]?.excerpt).toMatch(/^….*needle.*…$/);
    notes.close();
  });
});

test.each(["", "line\r\nline\u2028", "🙂 \u0301", "x".repeat(100_000)])(
  "keeps text %# as it is",
  async (text) => {
    const notes = await openNotes(temporaryFolder());
    const { id } = notes.save({ title: 'it\'s "quoted"', text, tags: ["b", "a", "b"] });

    expect(notes.read(id)).toEqual({
      id: "note-1",
      title: 'it\'s "quoted"',
      text,
      tags: ["a", "b"],
      revision: 1,
      updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    notes.close();
  },
);

test("never gives out the id of a deleted note again", async () => {
  const notes = await notesOf("first");
  notes.remove("note-1");

  expect(notes.save({ title: "second", text: "", tags: [] }).id).toBe("note-2");
  notes.close();
});

test.each([
  ["note-1", true],
  ["note-999999999999999", true],
  ["note-0", false],
  ["note-01", false],
  ["note-1\n", false],
  ["note-1e3", false],
  ["17", false],
  ["", false],
])("takes %j as an id: %s", (value, isId) => {
  expect(isNoteId(value)).toBe(isId);
});
