import type { Address } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { RandomNumbers } from '../random/json-mutations.ts';
import { makeCall } from './edit-build.ts';
import { ATTACKER, ATTACKER_TOKENS } from './tampering.ts';
import type { VerifiedBuild } from './verified-build.ts';

type Change = (build: VerifiedBuild, random: RandomNumbers) => readonly Instruction[];

const pick = <Item>(items: readonly Item[], random: RandomNumbers): Item | undefined =>
  items[random(Math.max(1, items.length))];

const addressesOf = ({ instructions }: VerifiedBuild): readonly Address[] => [
  ATTACKER,
  ATTACKER_TOKENS,
  ...instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address)),
];

const programsOf = ({ instructions }: VerifiedBuild): readonly Address[] =>
  instructions.map(({ programAddress }) => programAddress);

const editOne = (
  { instructions }: VerifiedBuild,
  random: RandomNumbers,
  edit: (call: Instruction) => Instruction,
): readonly Instruction[] => {
  const at = random(instructions.length);
  return instructions.map((call, i) => (i === at ? edit(call) : call));
};

/** What a server that steals would add. */
const hostileCalls = ({ wallet }: VerifiedBuild, tokens: Address): readonly Instruction[] => [
  makeCall('11111111111111111111111111111111', '0200000000e1f50500000000', [
    [wallet, 3],
    [ATTACKER, 1],
  ]),
  ...['0300e1f50500000000', '0400e1f50500000000'].map((data) =>
    makeCall('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', data, [
      [tokens, 1],
      [ATTACKER_TOKENS, 1],
      [wallet, 2],
    ]),
  ),
  makeCall('ComputeBudget111111111111111111111111111111', '0300e1f50500000000', []),
];

const changes: readonly Change[] = [
  // another account
  (build, random) =>
    editOne(build, random, (call) => {
      const at = random(Math.max(1, call.accounts.length));
      const address = pick(addressesOf(build), random) ?? ATTACKER;
      return {
        ...call,
        accounts: call.accounts.map((meta, i) => (i === at ? { ...meta, address } : meta)),
      };
    }),
  // an account more or fewer
  (build, random) =>
    editOne(build, random, (call) => {
      const at = random(call.accounts.length + 1);
      const address = pick(addressesOf(build), random) ?? ATTACKER;
      const more = random(2) === 0 ? [{ address, role: random(2) as 0 | 1 }] : [];
      return { ...call, accounts: call.accounts.toSpliced(at, 1 - more.length, ...more) };
    }),
  // another program
  (build, random) =>
    editOne(build, random, (call) => ({
      ...call,
      programAddress: pick(programsOf(build), random) ?? call.programAddress,
    })),
  // bytes of the data
  (build, random) =>
    editOne(build, random, (call) => {
      const at = random(Math.max(1, call.data.length));
      return { ...call, data: call.data.map((byte, i) => (i === at ? random(256) : byte)) };
    }),
  // an amount, a little more or less
  (build, random) =>
    editOne(build, random, (call) => {
      const at = call.data.length - 8 - random(2) * 8;
      const step = random(2) === 0 ? 1 : 255;
      return { ...call, data: call.data.map((byte, i) => (i === at ? (byte + step) % 256 : byte)) };
    }),
  // the order
  ({ instructions }, random) => {
    const [a, b] = [random(instructions.length), random(instructions.length)];
    return instructions.map((call, i) => instructions[i === a ? b : i === b ? a : i] ?? call);
  },
  // an instruction fewer
  ({ instructions }, random) => instructions.toSpliced(random(instructions.length), 1),
  // an instruction twice
  ({ instructions }, random) => {
    const call = instructions[random(instructions.length)];
    return call === undefined
      ? instructions
      : instructions.toSpliced(random(instructions.length + 1), 0, call);
  },
  // an instruction more
  (build, random) => {
    const { instructions } = build;
    const tokens = pick(addressesOf(build), random) ?? ATTACKER_TOKENS;
    const call = pick(hostileCalls(build, tokens), random);
    return call === undefined
      ? instructions
      : instructions.toSpliced(random(instructions.length + 1), 0, call);
  },
];

/** One change of the instructions, or two at once. */
export function mutateBuild(build: VerifiedBuild, random: RandomNumbers): VerifiedBuild {
  const once = { ...build, instructions: pick(changes, random)?.(build, random) ?? [] };
  if (once.instructions.length === 0 || random(3) > 0) return once;
  return { ...once, instructions: pick(changes, random)?.(once, random) ?? [] };
}
