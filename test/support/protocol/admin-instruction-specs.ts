import { readFileSync } from 'node:fs';

type AdminInstruction = {
  readonly discriminator: string;
  readonly args: readonly { readonly name: string; readonly type: string }[];
  readonly accounts: readonly {
    readonly name: string;
    readonly role: 'READONLY' | 'WRITABLE' | 'READONLY_SIGNER' | 'WRITABLE_SIGNER';
    readonly optional?: boolean;
  }[];
};

type AdminInterface = {
  readonly release: string;
  readonly instructions: Readonly<Record<string, AdminInstruction>>;
};

type AdminInterfaces = {
  readonly kvault: AdminInterface & {
    /** Names of the enums that select a setting, in order. */
    readonly configEntries: readonly string[];
    readonly globalConfigModes: readonly string[];
    readonly whitelistModes: readonly string[];
  };
  readonly farms: AdminInterface & { readonly globalConfigModes: readonly string[] };
};

export const adminInterfaces: AdminInterfaces = JSON.parse(
  readFileSync(new URL('../../fixtures/protocol/admin-instructions.json', import.meta.url), 'utf8'),
);

/** Instructions of administrators in the deployed interfaces, by program and name. */
export const adminInstructionSpecs: Readonly<Record<string, AdminInstruction>> = Object.fromEntries(
  Object.entries(adminInterfaces).flatMap(([program, { instructions }]) =>
    Object.entries(instructions).map(([name, spec]) => [`${program}.${name}`, spec]),
  ),
);
