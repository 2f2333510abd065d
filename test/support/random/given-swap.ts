import type { GivenInstruction } from '#client/verify/index.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import type { SwapInstructions } from '#core/builders/leverage/leverage-request.ts';

const ROLES = ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'] as const;

/** The swap in the form of a request body. */
export const givenSwap = ({ instructions }: SwapInstructions) => ({
  instructions: instructions.map(
    ({ programAddress, accounts, data }): GivenInstruction => ({
      programAddress,
      accounts: accounts.map(({ address, role }) => ({ address, role: ROLES[role] })),
      data: encodeBase64(data),
    }),
  ),
});
