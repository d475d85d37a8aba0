import { createServer, failure, RpcError, type Server, structured, tool } from "snodo";
import { z } from "zod";
import { isNoteId, type Notes, pageSize } from "./notes.ts";

// One of the two drivers cuts a text at NUL when it reads it.
const plain = z.string().refine((value) => !value.includes("\0"), "must not contain NUL");
const tag = plain.trim().toLowerCase().min(1).max(50);
const id = z.string().max(40).describe('As the other tools give it, for example "note-17"');

/** The notes server over open notes, ready for any transport. */
export function createNotesServer(notes: Notes): Server {
  return createServer({
    name: "snodo-notes",
    title: "Notes",
    version: "0.1.0",
    description: "Notes that outlive the conversation, with tags and full-text search.",
    instructions: "Search before saving, so that a note is extended instead of written twice.",
    tools: [saveNote, searchNotes, readNote, deleteNote, listTags].map((define) => define(notes)),
  });
}

const saveNote = (notes: Notes) =>
  tool({
    name: "save_note",
    title: "Save a note",
    description:
      "Keep a note. The title is its key: saving under a title that exists replaces text and tags of " +
      "that note, which keeps its id. Revision 1 means that the note is new.",
    input: z.object({
      title: plain.trim().min(1).max(200),
      text: plain.max(100_000).describe("Plain text or Markdown"),
      tags: z.array(tag).max(20).default([]).describe("Kept in lower case"),
    }),
    output: z.object({ id: z.string(), revision: z.int() }),
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    call: (draft) => notes.save(draft),
  });

const hit = z.object({
  id: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  updated: z.iso.datetime(),
  excerpt: z.string(),
});

const searchNotes = (notes: Notes) =>
  tool({
    name: "search_notes",
    title: "Search the notes",
    description:
      "Find notes that have every word of the query in title or text, best match first, at most " +
      `${pageSize}. Words match from their beginning, ignoring case and accents. An empty query ` +
      "gives the latest notes.",
    input: z.object({ query: z.string().max(500), tag: tag.optional() }),
    output: z.object({ notes: z.array(hit), hasMore: z.boolean() }),
    annotations: { readOnlyHint: true, openWorldHint: false },
    call: ({ query, tag }) => notes.search(query, tag),
  });

const readNote = (notes: Notes) =>
  tool({
    name: "read_note",
    title: "Read a note",
    description: "The whole text of one note.",
    input: z.object({ id: id.meta({ "x-mcp-header": "Note-Id" }) }),
    annotations: { readOnlyHint: true, openWorldHint: false },
    call: ({ id }) => {
      const note = notes.read(checkId(id));
      return note === undefined ? missing(id) : structured(note, { text: note.text });
    },
  });

const deleteNote = (notes: Notes) =>
  tool({
    name: "delete_note",
    title: "Delete a note",
    description: "Remove one note for good.",
    input: z.object({ id }),
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    call: ({ id }) => (notes.remove(checkId(id)) ? `Deleted ${id}.` : missing(id)),
  });

const listTags = (notes: Notes) =>
  tool({
    name: "list_tags",
    title: "List the tags",
    description: "Every tag in use and how many notes have it.",
    input: { type: "object" },
    output: z.object({ tags: z.array(z.object({ tag: z.string(), notes: z.int() })) }),
    annotations: { readOnlyHint: true, openWorldHint: false },
    call: () => ({ tags: notes.tags() }),
  });

function checkId(id: string): string {
  if (!isNoteId(id)) throw RpcError.invalidParams('id must look like "note-17"');
  return id;
}

function missing(id: string): ReturnType<typeof failure> {
  return failure(`There is no note ${id}. search_notes gives the ids.`);
}
