import { decodeBase64, type Slot } from '@tidegate/core/base';
import { CodedError, hasCode } from '../../errors/index.ts';
import { findProgramName } from '../../programs/program-accounts.ts';
import type { ClusterControls } from '../cluster-controls.ts';
import type { Json } from '../json.ts';
import {
  invalidParamsReason,
  readAddress,
  readArguments,
  readArray,
  readBoolean,
  readEnum,
  readString,
} from '../params.ts';
import { asOriginError, invalidParams } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';

export type ControlContext = { readonly controls: ClusterControls; readonly node: RpcNode };

export type ControlMethod = (context: ControlContext, params: unknown) => Promise<Json>;

/** Control methods that tests use to isolate and to arrange what they need. */
export const sandboxMethods: readonly (readonly [string, ControlMethod])[] = [
  ['tidegate_snapshot', snapshot],
  ['tidegate_revert', revert],
  ['tidegate_dropSnapshot', dropSnapshot],
  ['tidegate_reset', reset],
  ['tidegate_freeze', freeze],
  ['tidegate_resume', resume],
  ['tidegate_impersonate', impersonate],
  ['tidegate_upgradeProgram', upgradeProgram],
  ['tidegate_setLiquidationBot', setLiquidationBot],
  ['tidegate_getForkedAccounts', getForkedAccounts],
];

/** Returns the id of the snapshot, a string. */
async function snapshot({ controls }: ControlContext, params: unknown): Promise<Json> {
  readArguments(params, { min: 0, max: 0 });
  return asParamError(async () => controls.snapshot());
}

/** `[id]`: accounts, transactions, time and settings are those of the snapshot. */
async function revert({ controls }: ControlContext, params: unknown): Promise<Json> {
  const [param] = readArguments(params, { min: 1, max: 1 });
  const id = readString(param);
  return landedSlot(controls, await asParamError(async () => controls.revert(id)));
}

/** `[id]`: frees its memory. */
async function dropSnapshot({ controls }: ControlContext, params: unknown): Promise<Json> {
  const [param] = readArguments(params, { min: 1, max: 1 });
  controls.dropSnapshot(readString(param));
  return true;
}

async function reset({ controls }: ControlContext, params: unknown): Promise<Json> {
  readArguments(params, { min: 0, max: 0 });
  return landedSlot(controls, await asParamError(async () => controls.reset()));
}

async function freeze({ controls, node }: ControlContext, params: unknown): Promise<Json> {
  readArguments(params, { min: 0, max: 0 });
  controls.freeze();
  return landedSlot(controls, node.bank.slot);
}

async function resume({ controls, node }: ControlContext, params: unknown): Promise<Json> {
  readArguments(params, { min: 0, max: 0 });
  controls.resume();
  return landedSlot(controls, node.bank.slot);
}

/** `[address, impersonated]`: transactions of the signer are accepted without its signature. */
async function impersonate({ controls }: ControlContext, params: unknown): Promise<Json> {
  const [key, isImpersonated] = readArguments(params, { min: 2, max: 2 });
  controls.impersonate(readAddress(key), readBoolean(isImpersonated));
  return true;
}

/**
 * `[program, release]`, such as `["klend", "1.24"]`, or `[program, [text, "base64"]]`: replaces the executable. The program
 * is given by name or address.
 */
async function upgradeProgram({ controls }: ControlContext, params: unknown): Promise<Json> {
  const [key, param] = readArguments(params, { min: 2, max: 2 });
  const program = findProgramName(readString(key));
  if (program === undefined) {
    throw invalidParamsReason('program must be klend, kvault, farms or scope, or its address');
  }
  const content = typeof param === 'string' ? param : readBase64(param);
  return landedSlot(
    controls,
    await asParamError(async () => controls.upgradeProgram(program, content)),
  );
}

/** `[text, "base64"]`. */
export function readBase64(value: unknown): Uint8Array {
  const [text, encoding] = readArray(value);
  readEnum(encoding, ['base64']);
  const base64 = readString(text);
  try {
    return decodeBase64(base64, 'data');
  } catch (error) {
    throw hasCode(error, 'MALFORMED_DATA') ? invalidParams(error.message) : error;
  }
}

async function setLiquidationBot({ controls }: ControlContext, params: unknown): Promise<Json> {
  const [isOn] = readArguments(params, { min: 1, max: 1 });
  controls.setLiquidationBot(readBoolean(isOn));
  return true;
}

/** The slot of the fork, and of each account that was read; null if the cluster is not a fork. */
async function getForkedAccounts(
  { controls: { fork } }: ControlContext,
  params: unknown,
): Promise<Json> {
  readArguments(params, { min: 0, max: 0 });
  if (fork === undefined) return null;
  return {
    origin: fork.host,
    slot: fork.time.slot,
    unixTimestamp: fork.time.unix,
    accounts: fork.reads().map(({ address, slot, isFound }) => ({ address, slot, isFound })),
  };
}

export const landedSlot = (controls: ClusterControls, slot: Slot): Json => ({
  slot,
  unixTimestamp: controls.timeOf(slot).unix,
});

/** An operation that the current accounts do not allow is a caller error. */
export const asParamError = <Value>(action: () => Promise<Value>): Promise<Value> =>
  asOriginError(async () => {
    try {
      return await action();
    } catch (error) {
      if (isCallerError(error)) throw invalidParams(error.message);
      throw error;
    }
  });

const isCallerError = (error: unknown): error is CodedError =>
  error instanceof CodedError && !error.code.startsWith('SOURCE_') && error.code !== 'RPC_REFUSAL';
