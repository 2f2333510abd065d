import { type Address, toAddress } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import type { Omission } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { CodedError } from '../../../errors.ts';
import { defineOperation } from '../../../http/operation.ts';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { createStringValidator } from '../../../http/validation.ts';
import { setOmittedHeader, unreadableAccounts } from '../../../support/pricing/data-notes.ts';
import { ProgramIdString, parseProgramId } from '../../../support/schemas/program-id.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { MarketListString, parseMarketList } from './market-list.ts';

const ReserveAccount = Type.Object(
  {
    pubkey: describe(AddressString, 'Address of the reserve'),
    data: describe(
      Type.String({
        title: 'Base64Bytes',
        contentEncoding: 'base64',
        pattern: '^[A-Za-z0-9+/]*={0,2}$',
      }),
      'Complete account data with its discriminator, base64',
    ),
  },
  { title: 'ReserveAccount' },
);

const MarketReserveAccounts = Type.Object(
  {
    market: describe(AddressString, 'Address of the lending market'),
    reserves: describe(Type.Array(ReserveAccount), 'Reserves of the market, sorted by address'),
  },
  { title: 'MarketReserveAccounts' },
);

const ProgramQuery = Type.Object({ programId: Type.Optional(ProgramIdString) });

/** Fits 500 addresses, each with the parameter name. */
const MAX_QUERY_LENGTH = 32 * 1024;

export const listReserveAccounts: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/svc-market/reserves/account-data',
      {
        ...defineOperation(
          {
            operationId: 'listReserveAccounts',
            tag: 'lending',
            summary: 'Raw reserve accounts',
            description:
              'Account data of all reserves, in base64. Each market once, in request order; reserves by address. An unknown market has no reserves.',
            weight: 5,
            statuses: [500],
            maxQueryLength: MAX_QUERY_LENGTH,
            dependsOn: ['market', 'reserve'],
          },
          {
            querystring: Type.Object({ ...ProgramQuery.properties, markets: MarketListString }),
            response: Type.Array(MarketReserveAccounts),
          },
        ),
        validatorCompiler: () => parseQuery,
      },
      async ({ query }, reply) => {
        const programId = parseProgramId(query.programId);
        const { reader } = clusters.requireLoaded(undefined);
        const markets = [query.markets].flat().map(toAddress);
        setOmittedHeader(
          reply,
          markets.flatMap((market) => listUnreadable(reader, market)),
        );
        return markets.map((market) => {
          return { market, reserves: reserveAccountsJson(reader, { market, programId }) };
        });
      },
    );
  };

const validateProgramQuery = createStringValidator(ProgramQuery, 'INVALID_QUERY');

/** Parses `markets` by hand, because JSON Schema cannot describe a comma-separated list. */
function parseQuery(input: Readonly<Record<string, unknown>>) {
  const parsed = validateProgramQuery(input);
  if ('error' in parsed) return parsed;
  const list = parseMarketList(input['markets']);
  return 'markets' in list
    ? { value: { ...parsed.value, markets: list.markets } }
    : { error: new CodedError('INVALID_QUERY', list) };
}

/** The market itself, or reserves of it, that cannot be decoded. */
function listUnreadable(reader: ClusterReader, market: Address): Omission[] {
  return [
    ...unreadableAccounts(reader, 'market').filter(({ address }) => address === market),
    ...unreadableAccounts(reader, 'reserve', market),
  ];
}

function reserveAccountsJson(
  reader: ClusterReader,
  { market, programId }: { readonly market: Address; readonly programId: Address },
): Static<typeof ReserveAccount>[] {
  if (reader.market(market)?.program !== programId) return [];
  return reader.reservesOf(market).map(({ address, data }) => {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
    return { pubkey: address, data: bytes.toString('base64') };
  });
}
