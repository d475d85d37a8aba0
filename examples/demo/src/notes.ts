import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "./database.ts";

/** A note as it is stored. */
export interface Note {
  /** `note-` and a number that is never given out twice. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly tags: string[];
  /** How often this title has been saved; 1 is a new note. */
  readonly revision: number;
  /** Time of the last save, ISO 8601. */
  readonly updated: string;
}

/** A note that was found, with the part of its text that matches best, else the beginning. */
export type Hit = Pick<Note, "id" | "title" | "tags" | "updated"> & { readonly excerpt: string };

/** Notes on disk. Any number of processes may have the same folder open. */
export interface Notes {
  /** Stores a note; one with the same title is replaced and keeps its id. */
  save(draft: Pick<Note, "title" | "text" | "tags">): Pick<Note, "id" | "revision">;
  /**
   * At most {@link pageSize} notes that have every word of the query (as the beginning of a word,
   * ignoring case and accents) and the tag, best first. A query without words gives the latest notes.
   */
  search(query: string, tag?: string): { notes: Hit[]; hasMore: boolean };
  /** `undefined` when there is no such note; `remove` gives false then. */
  read(id: string): Note | undefined;
  remove(id: string): boolean;
  /** Every tag in use with its number of notes, in alphabetical order. */
  tags(): { tag: string; notes: number }[];
  /** Leaves everything in the one file `notes.sqlite`, unless another process is reading it. */
  close(): void;
}

/** How many hits one search gives at the most. */
export const pageSize: number = 20;

/** True for what can be an id, whether or not the note exists. */
export function isNoteId(value: string): boolean {
  return /^note-[1-9]\d{0,14}$/.test(value);
}

const schema = `
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS notes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    tags TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    updated TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
    title, text, content = 'notes', content_rowid = 'number',
    tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER IF NOT EXISTS note_added AFTER INSERT ON notes BEGIN
    INSERT INTO words (rowid, title, text) VALUES (new.number, new.title, new.text);
  END;
  CREATE TRIGGER IF NOT EXISTS note_removed AFTER DELETE ON notes BEGIN
    INSERT INTO words (words, rowid, title, text) VALUES ('delete', old.number, old.title, old.text);
  END;
  CREATE TRIGGER IF NOT EXISTS note_replaced AFTER UPDATE ON notes BEGIN
    INSERT INTO words (words, rowid, title, text) VALUES ('delete', old.number, old.title, old.text);
    INSERT INTO words (rowid, title, text) VALUES (new.number, new.title, new.text);
  END;
  COMMIT;`;

// An empty tag, which no note can have, stands for any.
const hasTag = "? IN (SELECT '' UNION ALL SELECT value FROM json_each(notes.tags))";

type Row = Omit<Note, "id" | "tags"> & { readonly number: number; readonly tags: string };
type HitRow = Omit<Row, "text" | "revision"> & { readonly excerpt: string };

/** Opens the notes of a folder; folder and file are created when missing. */
export async function openNotes(folder: string): Promise<Notes> {
  mkdirSync(folder, { recursive: true });
  const database = await openDatabase(join(folder, "notes.sqlite"));
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(schema);
  const save = database.prepare<Pick<Row, "number" | "revision">>(`
    INSERT INTO notes (title, text, tags, updated) VALUES (?, ?, ?, ?)
    ON CONFLICT (title) DO UPDATE SET text = excluded.text, tags = excluded.tags,
      updated = excluded.updated, revision = revision + 1
    RETURNING number, revision`);
  const matching = database.prepare<HitRow>(`
    SELECT number, notes.title, tags, updated, snippet(words, 1, '', '', '…', 24) AS excerpt
    FROM words JOIN notes ON number = words.rowid
    WHERE words MATCH ? AND ${hasTag} ORDER BY rank LIMIT ${pageSize + 1}`);
  const latest = database.prepare<HitRow>(`
    SELECT number, title, tags, updated, substr(text, 1, 160) AS excerpt
    FROM notes WHERE ${hasTag} ORDER BY updated DESC, number DESC LIMIT ${pageSize + 1}`);
  const read = database.prepare<Row>("SELECT * FROM notes WHERE number = ?");
  const remove = database.prepare("DELETE FROM notes WHERE number = ?");
  const tags = database.prepare<{ tag: string; notes: number }>(`
    SELECT value AS tag, count(*) AS notes FROM notes, json_each(notes.tags)
    GROUP BY value ORDER BY value`);
  return {
    save(draft) {
      const labels = JSON.stringify([...new Set(draft.tags)].sort());
      const row = save.get(draft.title, draft.text, labels, new Date().toISOString());
      if (row === undefined) throw new Error("SQLite returned no row for a saved note");
      return { id: `note-${row.number}`, revision: row.revision };
    },
    search(query, tag = "") {
      const match = toMatch(query);
      const rows = match === "" ? latest.all(tag) : matching.all(match, tag);
      return { notes: rows.slice(0, pageSize).map(toHit), hasMore: rows.length > pageSize };
    },
    read(id) {
      const row = read.get(toNumber(id));
      if (row === undefined) return undefined;
      const { title, text, revision, updated } = row;
      return { id, title, text, tags: JSON.parse(row.tags), revision, updated };
    },
    remove: (id) => Number(remove.run(toNumber(id)).changes) > 0,
    tags: () => tags.all().map(({ tag, notes }) => ({ tag, notes })),
    close() {
      database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      database.close();
    },
  };
}

// Only letters and digits are taken over, each word quoted: the query language cannot be reached.
function toMatch(query: string): string {
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  return words.map((word) => `"${word}"*`).join(" ");
}

function toHit({ number, title, tags, updated, excerpt }: HitRow): Hit {
  return { id: `note-${number}`, title, tags: JSON.parse(tags), updated, excerpt };
}

function toNumber(id: string): number {
  return Number(id.slice("note-".length));
}
