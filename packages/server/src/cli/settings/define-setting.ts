export type Setting<Value> = {
  /** Name in the environment; the flag is the same in kebab-case. */
  readonly env: string;
  /** As it would be written. */
  readonly default: string;
  readonly accepts: string;
  readonly sentence: string;
  /** Undefined for what it does not accept. */
  readonly parse: (text: string) => Value | undefined;
};

export function defineSetting<Value>(given: Setting<Value>): Setting<Value> {
  return given;
}
