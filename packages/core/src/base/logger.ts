type Write = (facts: Readonly<Record<string, unknown>>, message: string) => void;

/** What everything that logs takes as an argument. The message is constant; what varies is in the facts. */
export type Logger = {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
};
