import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { type Address, addressToBytes, toAddress } from '../encoding/address.ts';
import { bytesFromText, concatBytes } from '../encoding/bytes.ts';
import { isOnCurve } from './curve25519.ts';
import { deriveAddress, findProgramAddress, u64Seed } from './pda.ts';

const KLEND = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const KLEND_STAGING = toAddress('SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh');
const KVAULT = toAddress('KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd');
const FARMS = toAddress('FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr');
const SCOPE = toAddress('HFn8GnPADiny6XqUoWE8uRPPxb29ikn4yTuPa9MF2fWJ');
const LOOKUP_TABLES = toAddress('AddressLookupTab1e1111111111111111111111111');
const ASSOCIATED_TOKEN = toAddress('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

const key = (text: string) => addressToBytes(toAddress(text));
const USER = key('11111111111111111111111111111112');
const MARKET = key('7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF');
const RESERVE = key('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59');
const USDC = key('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const SOL = key('So11111111111111111111111111111111111111112');
const TOKEN = key('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const FARM = key('JAvnB9AKtgPsTEoKmn24Bq64UMoYcrtWtq42HHBdsPkh');
const VAULT = key('HDsayqAsDWy3QvANGqh2yNraqcD8Fnjgh73Mhb3WRS5E');
const ZERO = new Uint8Array(32);

type Vector = {
  of: string;
  seeds: (string | Uint8Array)[];
  program: Address;
  gives: string;
  bump?: number;
};

const obligation = (tag: number, seed1: Uint8Array, seed2: Uint8Array) => [
  Uint8Array.of(tag),
  Uint8Array.of(0),
  USER,
  MARKET,
  seed1,
  seed2,
];

const vectors: Vector[] = [
  {
    of: 'market authority',
    seeds: ['lma', MARKET],
    program: KLEND,
    gives: '9DrvZvyWh1HuAoZxvYWMvkf2XCzryCpGgHqrMjyDWpmo',
    bump: 248,
  },
  {
    of: 'global config',
    seeds: ['global_config'],
    program: KLEND,
    gives: 'BEe6HXZf6cByeb8iCxukjB8k74kJN3cVbBAGi49Hfi6W',
  },
  {
    of: 'staging config',
    seeds: ['global_config'],
    program: KLEND_STAGING,
    gives: 'G6bMwVAfhSmqvnBY3rbjXDff8H7et743qthLDCqJ6Epg',
  },
  {
    of: 'event authority',
    seeds: ['__event_authority'],
    program: KLEND,
    gives: 'EvF8jgEedtXPM57apSwh9eRjM2GtEYwh7oP6gB9nUpEF',
  },
  {
    of: 'vault config',
    seeds: ['global_config'],
    program: KVAULT,
    gives: 'BKyTcUe6daNG8HbgBix2ugdRHbykG2dK9hPBBqhUyoEX',
  },
  {
    of: 'vault events',
    seeds: ['__event_authority'],
    program: KVAULT,
    gives: '24tHwQyJJ9akVXxnvkekGfAoeUJXXS7mE6kQNioNySsK',
  },
  {
    of: 'treasury authority',
    seeds: ['authority', key('6UodrBjL2ZreDy7QdR4YV1oxqMBjVYSEyrFpctqqwGwL')],
    program: FARMS,
    gives: 'J6NrwDCuqX77JJHAgY1mPbtUERkQ5ZGwTbuvhmdgCGvL',
  },
  {
    of: 'feed configuration',
    seeds: ['conf', 'hubble'],
    program: SCOPE,
    gives: 'AdTiP7QyjUyv6crF4H8z7fxJKU7Z5eCAGvJN1Y55cXxb',
  },
  {
    of: 'user metadata',
    seeds: ['user_meta', USER],
    program: KLEND,
    gives: '8RYFMQY79YBGEJH6G6TRXYKVHJUNTir8YaCL9B7SckxJ',
    bump: 246,
  },
  {
    of: 'vanilla loan',
    seeds: obligation(0, ZERO, ZERO),
    program: KLEND,
    gives: '5R8c9NP5pPV4nVSu1N4LEf8s3yjk3S9CxJ8JMQ7iqNkj',
  },
  {
    of: 'multiply loan',
    seeds: obligation(1, SOL, USDC),
    program: KLEND,
    gives: 'DYQTPBsJQaE8pT1u9NQjrNgo6e8oaV8GEzPvfvHnbu7P',
  },
  {
    of: 'lending loan',
    seeds: obligation(2, USDC, USDC),
    program: KLEND,
    gives: 'CtP22jmvYywDAYpWQV5zgwj6vHuj3AB97wiJ5g7SCCqY',
  },
  {
    of: 'leverage loan',
    seeds: obligation(3, SOL, USDC),
    program: KLEND,
    gives: '6k4zsRxNx9zkvYLGFcYUHeMu74wDL4WmnvP9meh2FgFm',
  },
  {
    of: 'token account',
    seeds: [USER, TOKEN, USDC],
    program: ASSOCIATED_TOKEN,
    gives: 'G9xKTRhM57AL4my3ZRVNqM95mxtACgKdNRPX6EVhB7hv',
    bump: 253,
  },
  {
    of: 'farm user',
    seeds: ['user', FARM, USER],
    program: FARMS,
    gives: 'G6U1bK2yULcFzHmhHQHj8RQod1E3oGCGjcwmTmAWBP6U',
  },
  {
    of: 'farm authority',
    seeds: ['authority', FARM],
    program: FARMS,
    gives: 'FdaqkxQdSJtvpAMmc2jjv6cCM2C3X8hoRBbtdazBTtBJ',
    bump: 252,
  },
  {
    of: 'referrer tokens',
    seeds: ['referrer_acc', USER, RESERVE],
    program: KLEND,
    gives: '2zeAqCd7Kf7tV6jqCRTeecbheEEvtofxggqLdD55nEYc',
  },
  {
    of: 'withdraw ticket',
    seeds: ['withdraw_ticket', RESERVE, u64Seed(0n)],
    program: KLEND,
    gives: 'EsCUxtijE3LHN68YoAH9s6dGi7qq1hT7VTazkDEpRLXg',
  },
  {
    of: 'vault authority',
    seeds: ['authority', VAULT],
    program: KVAULT,
    gives: 'AyY6VCkHfTWdFs7SqBbu6AnCqLUhgzVHBzW3WcJu5Jc8',
    bump: 255,
  },
  {
    of: 'token vault',
    seeds: ['token_vault', VAULT],
    program: KVAULT,
    gives: 'CKTEDx5z19CntAB9B66AxuS98S1NuCgMvfpsew7TQwi',
    bump: 254,
  },
  {
    of: 'shares mint',
    seeds: ['shares', VAULT],
    program: KVAULT,
    gives: '7D8C5pDFxug58L9zkwK7bCiDg4kD4AygzbcZUmf5usHS',
    bump: 250,
  },
  {
    of: 'cToken vault',
    seeds: ['ctoken_vault', VAULT, RESERVE],
    program: KVAULT,
    gives: 'CZg8x8oqB7FYUfURq15F5AcjRTymcXsc8ann76CrpJrf',
    bump: 255,
  },
  {
    of: 'lookup table',
    seeds: [USER, u64Seed(123_456n)],
    program: LOOKUP_TABLES,
    gives: 'AHAbKp54omRhfBHEFFZJvqZFJB4voo9s8PVRb29e2Tny',
    bump: 255,
  },
];

test.each(vectors)(
  'derives the published address of the $of',
  ({ seeds, program, gives, bump }) => {
    const bytes = seeds.map((seed) => (typeof seed === 'string' ? bytesFromText(seed) : seed));
    const found = findProgramAddress(bytes, program);
    expect(found.address).toBe(gives);
    if (bump !== undefined) expect(found.bump).toBe(bump);
  },
);

test('property: the address is the first hash off the curve as the bump decreases', () => {
  const seeds = fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength: 15 });
  assertProperty(
    fc.property(seeds, (parts) => {
      const hashOf = (bump: number) =>
        Uint8Array.from(
          createHash('sha256')
            .update(concatBytes([...parts, Uint8Array.of(bump), addressToBytes(KLEND)]))
            .update('ProgramDerivedAddress')
            .digest(),
        );
      const { address, bump } = findProgramAddress(parts, KLEND);
      expect(addressToBytes(address)).toEqual(hashOf(bump));
      for (let higher = 255; higher > bump; higher--) expect(isOnCurve(hashOf(higher))).toBe(true);
      expect(isOnCurve(hashOf(bump))).toBe(false);
    }),
    50,
  );
});

test('accepts up to 15 seeds of up to 32 bytes', () => {
  const one = new Uint8Array(1);
  expect(catchError(() => findProgramAddress(Array(15).fill(one), KLEND))?.code).toBeUndefined();
  expect(catchError(() => findProgramAddress(Array(16).fill(one), KLEND))?.code).toBe(
    'NO_PROGRAM_ADDRESS',
  );
  expect(catchError(() => findProgramAddress([new Uint8Array(32)], KLEND))?.code).toBeUndefined();
  expect(catchError(() => findProgramAddress([new Uint8Array(33)], KLEND))?.code).toBe(
    'NO_PROGRAM_ADDRESS',
  );
});

test('the cache does not affect later derivations', () => {
  const prefixes = Array.from({ length: 1100 }, (_, i) => [`${i}`, u64Seed(BigInt(i))]).flat();
  for (const prefix of [...prefixes, ...prefixes.toReversed()]) {
    const seeds = [
      typeof prefix === 'string' ? bytesFromText(prefix) : prefix,
      addressToBytes(KVAULT),
    ];
    expect(deriveAddress(prefix, [KVAULT], FARMS)).toBe(findProgramAddress(seeds, FARMS).address);
  }
});

test('distinguishes text, bytes and addresses with similar cache keys', () => {
  const [one, other] = [KLEND, KVAULT];
  const derived = [
    deriveAddress('1,2', [one], FARMS),
    deriveAddress(Uint8Array.of(1, 2), [one], FARMS),
    deriveAddress('', [one, other], FARMS),
    deriveAddress('', [other, one], FARMS),
    deriveAddress('', [one], other),
    deriveAddress(`${one}`.slice(0, 32), [other], FARMS),
    deriveAddress(`" ${one}`.slice(0, 32), [other], FARMS),
  ];
  expect(new Set(derived).size).toBe(derived.length);
});

test('does not change the seeds', () => {
  const seed = bytesFromText('lma');
  findProgramAddress([seed, MARKET], KLEND);
  expect(seed).toEqual(bytesFromText('lma'));
});

test('an integer seed has eight little-endian bytes and must fit', () => {
  expect(u64Seed(258n)).toEqual(Uint8Array.of(2, 1, 0, 0, 0, 0, 0, 0));
  expect(u64Seed(2n ** 64n - 1n)).toEqual(new Uint8Array(8).fill(255));
  expect(catchError(() => u64Seed(2n ** 64n))?.code).toBe('MALFORMED_DATA');
  expect(catchError(() => u64Seed(-1n))?.code).toBe('MALFORMED_DATA');
});
