type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Structured logger. The message is constant; variable data goes into the fields. */
export type Logger = {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
};
