export type Setting<Value> = {
  /** Name of the environment variable. The flag is the same name in kebab-case. */
  readonly env: string;
  readonly default: string;
  readonly accepts: string;
  readonly description: string;
  /** Returns undefined for an invalid value. */
  readonly parse: (text: string) => Value | undefined;
};

export function defineSetting<Value>(setting: Setting<Value>): Setting<Value> {
  return setting;
}
