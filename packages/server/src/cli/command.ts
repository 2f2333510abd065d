import type { Config, InvalidSetting, SettingName } from './settings/settings.ts';

/** A positional argument of a command. */
type CommandArgument = {
  /** Placeholder in help, such as `FILE`. */
  readonly name: string;
  readonly description: string;
  /** Accepts any number of values, including none. */
  readonly isRepeatable?: boolean;
};

export type CommandFlag = {
  readonly name: string;
  /** Placeholder of the value in help. A flag without one takes no value. */
  readonly value?: string;
  /** Without a value, the flag is empty. */
  readonly isValueOptional?: boolean;
  readonly description: string;
  readonly isRequired?: boolean;
  /** The setting that this flag sets. */
  readonly setting?: SettingName;
};

type CommandInput = {
  readonly args: readonly string[];
  /** Values of the command's own flags. A flag without a value is `true`. */
  readonly flags: Readonly<Record<string, string>>;
  readonly config: Config;
  /** Empty unless the command accepts invalid settings. */
  readonly invalidSettings: readonly InvalidSetting[];
  /** Whether `DATA_DIR` did not exist before the command. */
  readonly isDataDirCreated: boolean;
};

/** Text for standard output with an exit code. */
export type CommandOutput = { readonly output: string; readonly exitCode: number };

/** One command of the program. Parsing and help are generated from it. */
export type Command = {
  /** One word, or a group and a subcommand: `keys create`. */
  readonly name: string;
  readonly summary: string;
  /** Further text in the command's help. */
  readonly details?: string;
  readonly args: readonly CommandArgument[];
  readonly flags: readonly CommandFlag[];
  /** Settings that help lists. Every command accepts all settings. */
  readonly settings: readonly SettingName[];
  /** How the command uses `DATA_DIR`; undefined if it does not. */
  readonly dataDir?: 'read' | 'write';
  /** Runs with defaults in place of invalid settings, to report them. */
  readonly acceptsInvalidSettings?: boolean;
  /** Returns the text for standard output. Loads its modules on demand, so that help stays fast. */
  readonly run: (input: CommandInput) => Promise<string | CommandOutput | undefined>;
};
