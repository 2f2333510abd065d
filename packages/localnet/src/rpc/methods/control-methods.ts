import {
  type ClusterAccount,
  CodedError,
  decodeBase64,
  hasCode,
  parseDecimal,
  type Ratio,
} from '@tidegate/core/base';
import { RETAINED_SLOTS } from '../../runtime/bank.ts';
import type { ClusterControls } from '../cluster-controls.ts';
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
import type { RpcNode } from '../rpc-node.ts';

/** Ten years of slots at once are enough. */
const MAX_WARP_SLOTS = 788_940_000;

type Controlled = { readonly controls: ClusterControls; readonly endpoint: RpcNode };

type ControlMethod = (controlled: Controlled, params: unknown) => Promise<Json>;

/** What only an embedded cluster can do. Changes land in a slot; the answer says in which. */
export const controlMethods: ReadonlyMap<string, ControlMethod> = new Map<string, ControlMethod>([
  ['tidegate_warp', warp],
  ['tidegate_setPrice', setPrice],
  ['tidegate_setAccount', setAccount],
  ['tidegate_airdropToken', airdropToken],
  ['tidegate_rollBack', rollBack],
  ['tidegate_freezeReserve', freezeReserve],
  ['tidegate_setFaults', setFaults],
  ['tidegate_dropWebSockets', dropWebSockets],
]);

/** `[{slots}]` or `[{seconds}]`: nothing happens meanwhile but the time. */
async function warp({ controls }: Controlled, params: unknown): Promise<Json> {
  const [given] = readArguments(params, { least: 1, most: 1 });
  const { slots, seconds } = readObject(given, 'an object with slots or seconds');
  if ((slots === undefined) === (seconds === undefined)) {
    throw invalidParamsReason('expected slots or seconds');
  }
  const count =
    slots === undefined ? Math.ceil(readInteger(seconds, 'u64') * 2.5) : readInteger(slots, 'u64');
  if (count === 0 || count > MAX_WARP_SLOTS) {
    throw invalidParamsReason(`expected 1 to ${MAX_WARP_SLOTS} slots`);
  }
  return landed(controls, await controls.warp(BigInt(count)));
}

/** `[reserve, price]`: USD for a whole token as text, kept until it is `null`. */
async function setPrice({ controls }: Controlled, params: unknown): Promise<Json> {
  const [key, given] = readArguments(params, { least: 2, most: 2 });
  const reserve = readAddress(key);
  const price = readOptional(given, readDecimal);
  return landed(controls, await refusing(() => controls.setPrice(reserve, price)));
}

/** `[address, {owner, lamports, data: [text, "base64"]}]`; `null` deletes it. */
async function setAccount({ controls }: Controlled, params: unknown): Promise<Json> {
  const [key, given] = readArguments(params, { least: 2, most: 2 });
  const address = readAddress(key);
  const account = readOptional(given, readAccount);
  return landed(controls, await controls.setAccount(address, account));
}

/** `[wallet, mint, amount]`: new tokens in smallest units as text, into the wallet's associated account. */
async function airdropToken({ controls }: Controlled, params: unknown): Promise<Json> {
  const [owner, token, given] = readArguments(params, { least: 3, most: 3 });
  const gift = { wallet: readAddress(owner), mint: readAddress(token), amount: readUnits(given) };
  return landed(controls, await refusing(() => controls.airdropToken(gift)));
}

/** `[slots]`: what happened in the last ones did not happen. */
async function rollBack({ controls }: Controlled, params: unknown): Promise<Json> {
  const [given] = readArguments(params, { least: 1, most: 1 });
  const slots = BigInt(readInteger(given, 'u64'));
  if (slots === 0n || slots > RETAINED_SLOTS) {
    throw invalidParamsReason(`expected 1 to ${RETAINED_SLOTS} slots`);
  }
  return landed(controls, await refusing(() => controls.rollBack(slots)));
}

/** `[reserve, frozen]`: no keeper refreshes it. */
async function freezeReserve({ controls }: Controlled, params: unknown): Promise<Json> {
  const [key, frozen] = readArguments(params, { least: 2, most: 2 });
  controls.freezeReserve(readAddress(key), readBoolean(frozen));
  return true;
}

/** `[faults]`, all of them at once; `[{}]` ends them. Control is never faulty. */
async function setFaults({ endpoint }: Controlled, params: unknown): Promise<Json> {
  const [given] = readArguments(params, { least: 1, most: 1 });
  endpoint.faults.set(readFaults(readObject(given, 'an object')));
  return true;
}

/** How many were open. */
async function dropWebSockets({ endpoint }: Controlled, params: unknown): Promise<Json> {
  readArguments(params, { least: 0, most: 0 });
  return endpoint.dropWebSockets();
}

function landed(
  controls: ClusterControls,
  slot: Awaited<ReturnType<ClusterControls['warp']>>,
): Json {
  return { slot, unixTimestamp: controls.timeOf(slot).unix };
}

function readFaults(given: JsonObject): FaultSettings {
  const known = Object.keys(NO_FAULTS);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalidParamsReason(`unknown field \`${unknown}\``);
  const count = (name: string) => readOptional(given[name], (value) => readInteger(value, 'usize'));
  const lagSlots = count('lagSlots') ?? 0;
  if (lagSlots > MAX_LAG_SLOTS)
    throw invalidParamsReason(`a lag of at most ${MAX_LAG_SLOTS} slots`);
  return {
    lagSlots,
    delayMs: count('delayMs') ?? 0,
    times: count('times'),
    answer: readOptional(given['answer'], readAnswerFault),
    methods: (readOptional(given['methods'], readArray) ?? []).map(readString),
    webSockets:
      readOptional(given['webSockets'], (value) => readEnum(value, ['work', 'refuse', 'mute'])) ??
      'work',
  };
}

function readAnswerFault(value: unknown): ResponseFault {
  const given = readObject(value, 'an object');
  const kind = readEnum(requireField(given, 'kind'), ['status', 'drop', 'truncate', 'wrongSlot']);
  switch (kind) {
    case 'status': {
      const status = readInteger(requireField(given, 'status'), 'usize');
      if (status < 400 || status > 599) throw invalidParamsReason('a status from 400 to 599');
      return { kind, status };
    }
    case 'wrongSlot': {
      const by = requireField(given, 'by');
      if (!Number.isSafeInteger(by)) throw invalidParamsReason('a whole number of slots');
      return { kind, by: Number(by) };
    }
    case 'drop':
    case 'truncate':
      return { kind };
  }
}

function readAccount(value: unknown): ClusterAccount {
  const given = readObject(value, 'an account');
  const lamports = readInteger(requireField(given, 'lamports'), 'u64');
  const [text, encoding] = readArray(requireField(given, 'data'));
  readEnum(encoding, ['base64']);
  const base64 = readString(text);
  try {
    const owner = readAddress(requireField(given, 'owner'));
    return { owner, lamports: BigInt(lamports), data: decodeBase64(base64, 'data') };
  } catch (error) {
    throw hasCode(error, 'MALFORMED_DATA') ? invalidParams(error.message) : error;
  }
}

function readUnits(value: unknown): bigint {
  const text = readString(value);
  if (!/^[1-9]\d{0,19}$/.test(text))
    throw invalidParamsReason('expected a whole amount as text, above zero');
  return BigInt(text);
}

function readDecimal(value: unknown): Ratio {
  try {
    return parseDecimal(readString(value));
  } catch (error) {
    throw hasCode(error, 'INVALID_DECIMAL') ? invalidParams(error.message) : error;
  }
}

/** What cannot be done with the accounts as they are is the caller's mistake. */
async function refusing<Value>(action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof CodedError) throw invalidParams(error.message);
    throw error;
  }
}
