import { expect, test } from 'vitest';
import { kitInstructions } from '../support/builders/kit-compiler.ts';
import { type GoldenFlow, goldenFlows } from '../support/golden/golden.ts';
import { pinned, testPinned } from '../support/golden/pinned-figures.ts';
import {
  type DecodedInstruction,
  publishedNames,
  requestDecodedTransaction,
} from '../support/http/decode-requests.ts';
import { goldenApi } from '../support/http/test-api.ts';
import {
  codecAccountName,
  type InstructionSpec,
  published,
  publishedInstruction,
} from '../support/protocol/published-instructions.ts';
import { referenceEncode } from '../support/reference/reference-base58.ts';

const flows = goldenFlows();
const ROLES = ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'];
const SIZES: Readonly<Record<string, number>> = { u8: 1, bool: 1, u32: 4, u64: 8, u128: 16 };

type Recorded = GoldenFlow['instructions'][number];

/** Roles in the transaction, merged from the recorded instructions. */
function rolesOf(flow: GoldenFlow, payer: string): Map<string, number> {
  const roles = new Map<string, number>([[payer, 3]]);
  for (const { address, role } of flow.instructions.flatMap(({ accounts }) => accounts)) {
    roles.set(address, (roles.get(address) ?? 0) | role);
  }
  return roles;
}

/** The published spec that matches recorded bytes. */
function publishedCall({ programAddress, data }: Recorded) {
  const program = publishedNames.get(programAddress) ?? '';
  const hex = Buffer.from(data).toString('hex');
  const names = [...Object.keys(published.programs[program]?.instructions ?? {}), 'mintTo'];
  for (const name of names.filter((each) => each !== 'mintTo' || program === 'token')) {
    const spec = publishedInstruction(program, name);
    const start = spec.discriminator ?? spec.data ?? '';
    if (hex.startsWith(start)) return { program, name, spec, start };
  }
  throw new Error(`no published instruction starts with ${hex.slice(0, 16)}`);
}

/** Decodes little-endian arguments in sequence. Integers of 64 bits and more become strings. */
function publishedArguments(spec: InstructionSpec, data: Uint8Array): Record<string, unknown> {
  const args = spec.args.flatMap((arg) =>
    arg.type === 'InitObligationArgs'
      ? [
          { name: 'tag', type: 'u8' },
          { name: 'id', type: 'u8' },
        ]
      : [arg],
  );
  let at = 0;
  return Object.fromEntries(
    args.map(({ name, type }) => {
      const size = SIZES[type] ?? 32;
      const bytes = data.subarray(at, at + size);
      at += size;
      if (type === 'pubkey') return [name, referenceEncode(bytes)];
      const value = bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
      return [name, size >= 8 ? value.toString() : Number(value)];
    }),
  );
}

/** The expected response for a recorded instruction. */
function expectedOf(recorded: Recorded, roles: ReadonlyMap<string, number>) {
  const { name, spec, start } = publishedCall(recorded);
  const names = spec.accounts.map((account, i) => codecAccountName(name, account, i));
  return {
    program: recorded.programAddress as string,
    name,
    arguments: publishedArguments(spec, recorded.data.subarray(start.length / 2)),
    accounts: recorded.accounts.map(({ address }, i) => ({
      name: names[i] ?? null,
      address: address as string,
      role: ROLES[roles.get(address) ?? 0],
    })),
    data: Buffer.from(recorded.data).toString('base64'),
    problem: null,
  };
}

const foundOf = ({ program, name, accounts, data, problem, ...rest }: DecodedInstruction) => ({
  program: program.address,
  name,
  arguments: rest.arguments,
  accounts: accounts.map((account) => ({
    name: account.name,
    address: account.address,
    role: account.role,
  })),
  data,
  problem,
});

testPinned('there are 49 flows', () => {
  expect(flows).toHaveLength(pinned.flows.all);
});

test('decodes the transactions of all flows to the recorded instructions', async () => {
  const { url } = await goldenApi();
  for (const flow of flows) {
    const [transaction] = flow.transactions;
    const found = await requestDecodedTransaction(url, transaction?.wire ?? '');
    const roles = rolesOf(flow, found.feePayer);
    expect(found.instructions.map(foundOf), flow.name).toEqual(
      flow.instructions.map((recorded) => expectedOf(recorded, roles)),
    );
  }
});

test('reports the version, size, signatures and lookup tables', async () => {
  const { url } = await goldenApi();
  for (const { name, transactions } of flows) {
    const [transaction] = transactions;
    const wire = Buffer.from(transaction?.wire ?? '', 'base64');
    const { version, size, sizeLimit, signers, lookupTables } = await requestDecodedTransaction(
      url,
      wire.toString('base64'),
    );
    expect({ version, size, sizeLimit }, name).toEqual({
      version: 0,
      size: wire.length,
      sizeLimit: 1232,
    });
    expect(signers.map(({ signed }) => signed)).toEqual(
      Array.from({ length: wire[0] ?? 0 }, () => true),
    );
    expect(lookupTables.map(({ address }) => address)).toEqual(transaction?.luts);
  }
});

test('kit decodes the same accounts and roles from every transaction without lookup tables', async () => {
  const { url } = await goldenApi();
  for (const { name, transactions } of flows) {
    const [transaction] = transactions;
    if (transaction === undefined || transaction.luts.length > 0) continue;
    const { instructions } = await requestDecodedTransaction(url, transaction.wire);
    const wire = Uint8Array.from(Buffer.from(transaction.wire, 'base64'));
    const theirs = kitInstructions(wire, []).map(({ programAddress, accounts }) => ({
      program: programAddress as string,
      accounts: accounts.map(({ address, role }) => [address as string, ROLES[role]]),
    }));
    const ours = instructions.map(({ program, accounts }) => ({
      program: program.address,
      accounts: accounts.map(({ address, role }) => [address, role]),
    }));
    expect(ours, name).toEqual(theirs);
  }
});
