import { readFileSync } from 'node:fs';

type DeployedInterface = {
  readonly release: string;
  /** Names in snake case by discriminator in hex. */
  readonly instructions: Readonly<Record<string, string>>;
};

type DeployedInterfaces = {
  readonly klend: DeployedInterface & { readonly updateConfigModes: readonly string[] };
  readonly kvault: DeployedInterface;
  readonly farms: DeployedInterface & {
    readonly configModes: readonly string[];
    /** Accounts of the instructions of farm administrators, in snake case, and those of release 0.1.0. */
    readonly managementAccounts: Readonly<Record<string, readonly string[]>>;
    readonly earlierManagementAccounts: Readonly<Record<string, readonly string[]>>;
  };
};

/** Instruction names and configuration modes of the deployed programs. */
export const deployedInterfaces: DeployedInterfaces = JSON.parse(
  readFileSync(new URL('../../fixtures/protocol/deployed.json', import.meta.url), 'utf8'),
);
