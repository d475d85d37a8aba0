/** A value that SQLite stores as it is. */
export type SqlValue = string | number | null;

/** A prepared statement; `Row` is what the author of the SQL knows one row to be. */
export interface Statement<Row> {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

/** What the two drivers have in common. Every call is synchronous. */
export interface Database {
  exec(sql: string): unknown;
  prepare<Row>(sql: string): Statement<Row>;
  close(): unknown;
}

type Driver = new (file: string) => Database;

/**
 * Opens an SQLite file, which is created when missing: with `node:sqlite` where that has full-text
 * search (Node 22.16 and 24), else with `libsql`. Locks of other processes are waited for, at most 5 s.
 */
export async function openDatabase(file: string): Promise<Database> {
  const Driver = builtInDriver() ?? ((await import("libsql")).default as Driver);
  const database = new Driver(file);
  database.exec("PRAGMA busy_timeout = 5000");
  return database;
}

function builtInDriver(): Driver | undefined {
  const sqlite = process.getBuiltinModule("node:sqlite") as { DatabaseSync: Driver } | undefined;
  if (sqlite === undefined) return undefined;
  const probe = "SELECT 1 WHERE sqlite_compileoption_used('ENABLE_FTS5')";
  const hasFullText = new sqlite.DatabaseSync(":memory:").prepare(probe).get() !== undefined;
  return hasFullText ? sqlite.DatabaseSync : undefined;
}
