import { onTestFinished } from "vitest";

/** What nobody in this process catches until the test has finished. */
export function watchUncaught(): readonly unknown[] {
  const uncaught: unknown[] = [];
  const see = (error: unknown): void => void uncaught.push(error);
  process.on("uncaughtException", see).on("unhandledRejection", see);
  onTestFinished(() => {
    process.off("uncaughtException", see).off("unhandledRejection", see);
  });
  return uncaught;
}
