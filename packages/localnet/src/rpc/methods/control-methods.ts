import { type ClusterAccount, parseDecimal, type Ratio } from '@tidegate/core/base';
import { hasCode } from '../../errors/index.ts';
import { RETAINED_SLOTS } from '../../runtime/bank.ts';
import { type FaultSettings, MAX_LAG_SLOTS, NO_FAULTS, type ResponseFault } from '../faults.ts';
import type { Json, JsonObject } from '../json.ts';
import {
  invalidParamsReason,
  readAddress,
  readArguments,
  readArray,
  readBoolean,
  readEnum,
  readInteger,
  readObject,
  readOptional,
  readString,
  requireField,
} from '../params.ts';
import { invalidParams } from '../rpc-errors.ts';
import {
  asParamError,
  type ControlContext,
  type ControlMethod,
  landedSlot,
  readBase64,
  sandboxMethods,
} from './sandbox-methods.ts';

/** Ten years of slots. */
const MAX_WARP_SLOTS = 788_940_000;

/** Control methods of a local cluster. Changes land in a slot, which is returned. */
export const controlMethods: ReadonlyMap<string, ControlMethod> = new Map<string, ControlMethod>([
  ['tidegate_getPlan', getPlan],
  ['tidegate_warp', warp],
  ['tidegate_setPrice', setPrice],
  ['tidegate_setAccount', setAccount],
  ['tidegate_airdropToken', airdropToken],
  ['tidegate_rollBack', rollBack],
  ['tidegate_freezeReserve', freezeReserve],
  ['tidegate_setFaults', setFaults],
  ['tidegate_dropWebSockets', dropWebSockets],
  ...sandboxMethods,
]);

/** The parameters that the cluster was simulated with, which determine its metadata, and its runs. */
async function getPlan(
  { controls: { plan, runs } }: ControlContext,
  params: unknown,
): Promise<Json> {
  readArguments(params, { min: 0, max: 0 });
  if (plan === undefined) return null;
  const { seed, days, until } = plan;
  return {
    seed,
    days,
    until: { slot: until.slot, unixTimestamp: until.unix },
    runs: runs.map(({ id, slot }) => ({ id, slot })),
  };
}

/** `[{slots}]` or `[{seconds}]`: skips time without other changes. */
async function warp({ controls }: ControlContext, params: unknown): Promise<Json> {
  const [param] = readArguments(params, { min: 1, max: 1 });
  const { slots, seconds } = readObject(param, 'an object with slots or seconds');
  if ((slots === undefined) === (seconds === undefined)) {
    throw invalidParamsReason('expected slots or seconds');
  }
  const count =
    slots === undefined ? Math.ceil(readInteger(seconds, 'u64') * 2.5) : readInteger(slots, 'u64');
  if (count === 0 || count > MAX_WARP_SLOTS) {
    throw invalidParamsReason(`expected 1 to ${MAX_WARP_SLOTS} slots`);
  }
  return landedSlot(controls, await controls.warp(BigInt(count)));
}

/** `[reserve or mint, price]`: pins the price in USD per token, given as a string; `null` releases it. */
async function setPrice({ controls }: ControlContext, params: unknown): Promise<Json> {
  const [key, param] = readArguments(params, { min: 2, max: 2 });
  const token = readAddress(key);
  const price = readOptional(param, readDecimal);
  return landedSlot(controls, await asParamError(() => controls.setPrice(token, price)));
}

/** `[address, {owner, lamports, data: [text, "base64"]}]`; `null` deletes the account. */
async function setAccount({ controls }: ControlContext, params: unknown): Promise<Json> {
  const [key, param] = readArguments(params, { min: 2, max: 2 });
  const address = readAddress(key);
  const account = readOptional(param, readAccount);
  return landedSlot(controls, await asParamError(() => controls.setAccount(address, account)));
}

/**
 * `[wallet, mint, amount]`: mints base units, given as a string, into the wallet's associated
 * account.
 */
async function airdropToken({ controls }: ControlContext, params: unknown): Promise<Json> {
  const [owner, token, param] = readArguments(params, { min: 3, max: 3 });
  const airdrop = {
    wallet: readAddress(owner),
    mint: readAddress(token),
    amount: readUnits(param),
  };
  return landedSlot(controls, await asParamError(() => controls.airdropToken(airdrop)));
}

/** `[slots]`: rolls back the last slots. */
async function rollBack({ controls }: ControlContext, params: unknown): Promise<Json> {
  const [param] = readArguments(params, { min: 1, max: 1 });
  const slots = BigInt(readInteger(param, 'u64'));
  if (slots === 0n || slots > RETAINED_SLOTS) {
    throw invalidParamsReason(`expected 1 to ${RETAINED_SLOTS} slots`);
  }
  return landedSlot(controls, await asParamError(() => controls.rollBack(slots)));
}

/** `[reserve, frozen]`: keepers do not refresh a frozen reserve. */
async function freezeReserve({ controls }: ControlContext, params: unknown): Promise<Json> {
  const [key, frozen] = readArguments(params, { min: 2, max: 2 });
  controls.freezeReserve(readAddress(key), readBoolean(frozen));
  return true;
}

/** `[faults]`: replaces all faults; `[{}]` removes them. Control methods are never affected. */
async function setFaults({ node }: ControlContext, params: unknown): Promise<Json> {
  const [param] = readArguments(params, { min: 1, max: 1 });
  node.faults.set(readFaults(readObject(param, 'an object')));
  return true;
}

/** Returns the number of closed WebSockets. */
async function dropWebSockets({ node }: ControlContext, params: unknown): Promise<Json> {
  readArguments(params, { min: 0, max: 0 });
  return node.dropWebSockets();
}

function readFaults(param: JsonObject): FaultSettings {
  const names = Object.keys(NO_FAULTS);
  const unknownName = Object.keys(param).find((name) => !names.includes(name));
  if (unknownName !== undefined) throw invalidParamsReason(`unknown field \`${unknownName}\``);
  const count = (name: string) => readOptional(param[name], (value) => readInteger(value, 'usize'));
  const lagSlots = count('lagSlots') ?? 0;
  if (lagSlots > MAX_LAG_SLOTS)
    throw invalidParamsReason(`lagSlots must be at most ${MAX_LAG_SLOTS}`);
  return {
    lagSlots,
    delayMs: count('delayMs') ?? 0,
    times: count('times'),
    answer: readOptional(param['answer'], readResponseFault),
    methods: (readOptional(param['methods'], readArray) ?? []).map(readString),
    webSockets:
      readOptional(param['webSockets'], (value) => readEnum(value, ['work', 'refuse', 'mute'])) ??
      'work',
  };
}

function readResponseFault(value: unknown): ResponseFault {
  const param = readObject(value, 'an object');
  const kind = readEnum(requireField(param, 'kind'), ['status', 'drop', 'truncate', 'wrongSlot']);
  switch (kind) {
    case 'status': {
      const status = readInteger(requireField(param, 'status'), 'usize');
      if (status < 400 || status > 599) throw invalidParamsReason('status must be from 400 to 599');
      return { kind, status };
    }
    case 'wrongSlot': {
      const by = requireField(param, 'by');
      if (!Number.isSafeInteger(by)) throw invalidParamsReason('by must be an integer');
      return { kind, by: Number(by) };
    }
    case 'drop':
    case 'truncate':
      return { kind };
  }
}

function readAccount(value: unknown): ClusterAccount {
  const param = readObject(value, 'an account');
  const lamports = readInteger(requireField(param, 'lamports'), 'u64');
  const data = readBase64(requireField(param, 'data'));
  const owner = readAddress(requireField(param, 'owner'));
  return { owner, lamports: BigInt(lamports), data };
}

function readUnits(value: unknown): bigint {
  const text = readString(value);
  if (!/^[1-9]\d{0,19}$/.test(text))
    throw invalidParamsReason('amount must be a positive integer as a string');
  return BigInt(text);
}

function readDecimal(value: unknown): Ratio {
  try {
    return parseDecimal(readString(value));
  } catch (error) {
    throw hasCode(error, 'INVALID_DECIMAL') ? invalidParams(error.message) : error;
  }
}
