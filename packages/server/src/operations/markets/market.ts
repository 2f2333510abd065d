import { toAddress } from '@tidegate/core/base';
import { selectListedMarkets } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { CodedError } from '../../errors.ts';
import { defineOperation } from '../../http/operation.ts';
import {
  requireReadable,
  setOmittedHeader,
  setUnmodeledRulesHeader,
  unreadableAccounts,
} from '../../support/pricing/data-notes.ts';
import { MarketParameter } from '../../support/schemas/address-parameters.ts';
import { ProgramIdString, parseProgramId } from '../../support/schemas/program-id.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { MarketConfig, marketJson } from './market-json.ts';

const Query = Type.Object({ programId: Type.Optional(ProgramIdString) });

const shared = { tag: 'lending', weight: 1, statuses: [500] } as const;

export const listMarkets: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/v2/svc-market',
      defineOperation(
        {
          ...shared,
          operationId: 'listMarkets',
          summary: 'Lending markets',
          description:
            'The publicly listed markets of a program: primary first, then by name. The header x-unmodeled-rules names rules of a market that no figure includes, such as permissioned operations.',
          dependsOn: ['market'],
        },
        { querystring: Query, response: Type.Array(MarketConfig) },
      ),
      async ({ query }, reply) => {
        const programId = parseProgramId(query.programId);
        const cluster = clusters.requireLoaded(undefined);
        setOmittedHeader(reply, unreadableAccounts(cluster.reader, 'market'));
        const markets = selectListedMarkets(cluster).filter(({ program }) => program === programId);
        setUnmodeledRulesHeader(reply, { markets });
        return markets.map((market) => marketJson(market, cluster)).sort(comparePrimaryThenName);
      },
    );
  };

export const getMarket: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/v2/svc-market/:pubkey',
      defineOperation(
        {
          ...shared,
          operationId: 'getMarket',
          summary: 'A lending market',
          description:
            'Also returns unlisted markets, with the name in their account. The header x-unmodeled-rules names rules of the market that no figure includes, such as permissioned operations.',
          answersNotFound: true,
          dependsOn: ['market'],
        },
        {
          params: Type.Object({ pubkey: MarketParameter }),
          querystring: Query,
          response: MarketConfig,
        },
      ),
      async ({ params, query }, reply) => {
        const programId = parseProgramId(query.programId);
        const address = toAddress(params.pubkey);
        const cluster = clusters.requireLoaded(undefined);
        requireReadable(cluster.reader, address);
        const market = cluster.reader.market(address);
        if (market?.program !== programId) {
          throw new CodedError('NOT_FOUND', { what: 'market', address });
        }
        setUnmodeledRulesHeader(reply, { markets: [market] });
        return marketJson(market, cluster);
      },
    );
  };

type Market = Static<typeof MarketConfig>;

function comparePrimaryThenName(a: Market, b: Market): number {
  if (a.isPrimary !== b.isPrimary) return a.isPrimary ? -1 : 1;
  const key = ({ name, lendingMarket }: Market) => `${name}\0${lendingMarket}`;
  return key(a) < key(b) ? -1 : 1;
}
