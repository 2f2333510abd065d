import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';
import { READ, SIGN, SIGN_WRITE, WRITE } from '../../../../../core/src/base/solana/instruction.ts';
import { instructionBundleJson } from './instruction-bundle-json.ts';

const program = numberedAddress(1);
const a = numberedAddress(2);
const b = numberedAddress(3);
const table = numberedAddress(4);

test('roles are named, signing accounts have a signer, and empty data is null', () => {
  const roles = [READ, WRITE, SIGN, SIGN_WRITE] as const;
  const accounts = roles.map((role) => ({ address: a, role }));
  const instructions = [
    { programAddress: program, accounts, data: Uint8Array.of(255, 0) },
    { programAddress: program, accounts: [], data: new Uint8Array(0) },
  ];
  const plan = { summary: '', steps: [], creates: [], closes: [], rentLamports: 0n };
  const fullPlan = { ...plan, pays: [], receives: [], notes: [] };
  const lookupTables = [{ address: table, addresses: [b, a, b] }];
  expect(instructionBundleJson({ wallet: a, instructions, lookupTables, plan: fullPlan })).toEqual({
    instructions: [
      {
        programAddress: program,
        accounts: [
          { address: a, role: 'READONLY' },
          { address: a, role: 'WRITABLE' },
          { address: a, role: 'READONLY_SIGNER', signer: { address: a } },
          { address: a, role: 'WRITABLE_SIGNER', signer: { address: a } },
        ],
        data: '/wA=',
      },
      { programAddress: program, accounts: [], data: null },
    ],
    lutsByAddress: { [table]: [b, a, b] },
  });
});
