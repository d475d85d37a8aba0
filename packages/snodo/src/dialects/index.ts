import { dialect20260728 } from "./2026-07-28/index.ts";
import type { Dialect } from "./dialect.ts";

/** Every revision that this library speaks, newest first. */
export const allDialects: readonly Dialect[] = Object.freeze([dialect20260728]);
