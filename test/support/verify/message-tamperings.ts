import type { ReasonCode } from '#client/verify/index.ts';
import type { AccountMeta } from '#core/base/solana/instruction.ts';
import type { Message } from '#core/protocol/spl/transaction/message.ts';
import {
  decodeWireTransaction,
  encodeWireTransaction,
} from '#core/protocol/spl/transaction/wire.ts';
import {
  ATTACKER,
  onBytes,
  onInstructions,
  otherAddress,
  type Tampering,
  toTampered,
} from './tampering.ts';
import { tablesOf, type VerifiedBuild, wireOf } from './verified-build.ts';

const WRONG: readonly ReasonCode[] = [
  ...(['WRONG_ACCOUNT', 'WRONG_LOAN', 'WRONG_RESERVE', 'WRONG_MARKET', 'WRONG_VAULT'] as const),
  ...(['WRONG_FARM', 'WRONG_TOKEN_ACCOUNT', 'UNKNOWN_PROGRAM', 'WRONG_ROLE'] as const),
];

/** A change of the compiled message. */
const onMessage = (
  name: string,
  code: ReasonCode | readonly ReasonCode[],
  change: (message: Message, build: VerifiedBuild) => Message | undefined,
): Tampering =>
  onBytes(name, code, (wire, build) => {
    const { signatures, message } = decodeWireTransaction(wire);
    const changed = change(message, build);
    return changed && encodeWireTransaction({ signatures, message: changed });
  });

const hasTables = ({ lookups }: Message): boolean => lookups.length > 0;

/** Bytes of the parts before the static keys: signature count, signature, version, header. */
const HEADER_AT = 1 + 64 + 1;

const changedByte = (wire: Uint8Array, at: number, change: (byte: number) => number): Uint8Array =>
  wire.map((byte, i) => (i === at ? change(byte) : byte));

export const messageTamperings: readonly Tampering[] = [
  {
    ...onInstructions('someone else pays the fee', 'WRONG_FEE_PAYER', (build) => build),
    tamper: (build) => ({
      ...toTampered(build),
      transaction: wireOf({ ...build, wallet: ATTACKER }),
    }),
  },
  onInstructions('someone else signs as well', 'EXTRA_SIGNER', (build) => {
    const metas = build.instructions.flatMap(({ accounts }) => accounts);
    const signer = metas.find(({ role }) => role === 1)?.address;
    const withSigner = (meta: AccountMeta): AccountMeta =>
      meta.address === signer ? { ...meta, role: 3 } : meta;
    return {
      ...build,
      instructions: build.instructions.map((call) => ({
        ...call,
        accounts: call.accounts.map(withSigner),
      })),
    };
  }),
  onBytes('a read-only account is writable', 'WRONG_ROLE', (wire) =>
    changedByte(wire, HEADER_AT + 2, (count) => count - 1),
  ),
  onBytes('a writable account is read-only', ['WRONG_ROLE', 'MALFORMED_TRANSACTION'], (wire) =>
    changedByte(wire, HEADER_AT + 2, (count) => count + 1),
  ),
  onMessage('an account that nothing uses', 'UNUSED_ACCOUNT', (message) => ({
    ...message,
    staticKeys: [...message.staticKeys, ATTACKER],
    header: {
      ...message.header,
      numReadonlyUnsignedAccounts: message.header.numReadonlyUnsignedAccounts + 1,
    },
    instructions: message.instructions.map((call) => ({
      ...call,
      // loaded accounts come after the new one
      accountIndexes: call.accountIndexes.map((i) => (i >= message.staticKeys.length ? i + 1 : i)),
    })),
  })),
  onBytes('an account twice', ['REPEATED_ACCOUNT', 'WRONG_FEE_PAYER'], (wire) => {
    const keys = HEADER_AT + 3 + 1;
    return wire.map((byte, i) => (i >= keys + 64 && i < keys + 96 ? (wire[i - 32] ?? 0) : byte));
  }),
  onBytes('bytes after the end', 'MALFORMED_TRANSACTION', (wire) => Uint8Array.from([...wire, 0])),
  onBytes('a transaction without its end', 'MALFORMED_TRANSACTION', (wire) => wire.slice(0, -3)),
  onBytes('another version', 'UNSUPPORTED_VERSION', (wire) =>
    changedByte(wire, 1 + 64, () => 0x81),
  ),
  onBytes('a second signature', 'MALFORMED_TRANSACTION', (wire) =>
    Uint8Array.from([2, ...wire.slice(1, 65), ...wire.slice(1)]),
  ),
  onMessage('two lookups in each other’s place', WRONG, (message) => {
    const [lookup, ...others] = message.lookups;
    const [first, second, ...rest] = lookup?.writableIndexes ?? [];
    if (lookup === undefined || first === undefined || second === undefined) return undefined;
    return {
      ...message,
      lookups: [{ ...lookup, writableIndexes: [second, first, ...rest] }, ...others],
    };
  }),
  onMessage('a lookup beyond the end of its table', 'INVALID_LOOKUP', (message) => {
    const [lookup, ...others] = message.lookups;
    if (lookup === undefined) return undefined;
    return {
      ...message,
      lookups: [{ ...lookup, readonlyIndexes: [...lookup.readonlyIndexes, 255] }, ...others],
    };
  }),
  {
    name: 'the lookup table of someone else, with other addresses',
    codes: WRONG,
    tamper: (build) => {
      const [table, ...others] = build.lookupTables;
      if (table === undefined || !hasTables(decodeWireTransaction(wireOf(build)).message))
        return undefined;
      const swapped = { ...table, addresses: table.addresses.map(otherAddress) };
      return { ...toTampered(build), lookupTables: tablesOf([swapped, ...others]) };
    },
  },
  {
    name: 'a lookup table that is not known',
    codes: ['MISSING_LOOKUP_TABLE'],
    verdict: 'undecided',
    tamper: (build) => {
      const wire = wireOf(build);
      return hasTables(decodeWireTransaction(wire).message)
        ? { ...toTampered(build), lookupTables: {} }
        : undefined;
    },
  },
];
