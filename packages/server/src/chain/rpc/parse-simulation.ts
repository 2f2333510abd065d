import type { Address, SimulationResult } from '@tidegate/core/base';
import { parseAccountValue } from './parse-account.ts';
import {
  malformedData,
  requireArray,
  requireInteger,
  requireObject,
  requireString,
} from './response-values.ts';

/** Parameters of `simulateTransaction` for an unsigned transaction. */
export const simulationConfig = (addresses: readonly Address[]) => ({
  encoding: 'base64',
  sigVerify: false,
  replaceRecentBlockhash: false,
  innerInstructions: true,
  accounts: { encoding: 'base64', addresses },
});

/** Parses the `value` of the response. Nodes omit unrecorded fields or set them to null. */
export function parseSimulation(
  value: unknown,
  addresses: readonly Address[],
): Omit<SimulationResult, 'slot'> {
  const { err, logs, unitsConsumed, innerInstructions, accounts } = requireObject(
    value,
    'simulation',
  );
  const error = err ?? undefined;
  return {
    error,
    logs: requireArray(logs ?? [], 'simulation log').map((line) => requireString(line, 'log line')),
    unitsConsumed: parseUnits(unitsConsumed ?? undefined),
    innerInstructions:
      innerInstructions === undefined || innerInstructions === null
        ? undefined
        : requireArray(innerInstructions, 'inner instructions'),
    // nodes return null for each account of a failed transaction
    accounts: error === undefined ? parseAccounts(accounts ?? [], addresses) : new Map(),
  };
}

const parseUnits = (units: unknown): bigint | undefined =>
  units === undefined ? undefined : BigInt(requireInteger(units, 'compute units'));

function parseAccounts(
  value: unknown,
  addresses: readonly Address[],
): SimulationResult['accounts'] {
  const accounts = requireArray(value, 'simulated accounts');
  if (accounts.length !== addresses.length) {
    const reason = `it has ${accounts.length} accounts for ${addresses.length} addresses`;
    throw malformedData('list of accounts', reason);
  }
  return new Map(
    addresses.map((address, i) => {
      const account = accounts[i];
      return [address, account === null ? undefined : parseAccountValue(account, '')];
    }),
  );
}
