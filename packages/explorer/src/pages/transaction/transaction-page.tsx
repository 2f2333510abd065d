import { useEffect, useState } from 'preact/hooks';
import { isFinal } from '../../api/failure.ts';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { NotFound } from '../../components/empty.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { DecodedInstructions } from '../../components/transaction/decoded-transaction.tsx';
import { isSignature } from '../../format/address.ts';
import { query } from '../../routing/location.ts';
import type { PageProps } from '../page-props.ts';
import { BalancesBlock } from './balances-block.tsx';
import { OutcomeFacts } from './outcome-facts.tsx';
import { PositionsBlocks } from './positions-blocks.tsx';
import './transaction.css';

/** Until the outcome is final. */
const POLL_MS = 3_000;
const FACTS_HEIGHT = 320;
const STEPS_HEIGHT = 240;

/** What became of a transaction, what it did, and what it changed. */
export function TransactionPage({ parameters: { signature = '' } }: PageProps) {
  if (!isSignature(signature)) {
    return (
      <NotFound
        what={`“${signature}” is not the signature of a transaction.`}
        where="A signature has 64 bytes in base58."
      />
    );
  }
  return <Transaction signature={signature} />;
}

function Transaction({ signature }: { readonly signature: string }) {
  const outcome = useFinalOutcome(signature);
  const isInBlock = outcome.data?.slot != null;
  const decoded = useResource(
    isInBlock ? apiRequest('POST /ktx/decode', { body: { transaction: signature } }) : undefined,
    { pollMs: 0 },
  );
  const hasBalances = outcome.data?.status === 'landed' || outcome.data?.status === 'failed';
  const isDecodable = decoded.error === undefined || !isFinal(decoded.error);
  return (
    <div class="page">
      <div class="transaction-title">
        <PageTitle title="Transaction" address={signature} />
        <span class="address anywhere">{signature}</span>
        <CopyButton text={signature} what="signature" />
      </div>
      <Block title="Outcome" resources={[outcome]} skeleton={<Skeleton height={FACTS_HEIGHT} />}>
        {(data) => <OutcomeFacts outcome={data} />}
      </Block>
      {hasBalances && outcome.data !== undefined && <BalancesBlock outcome={outcome.data} />}
      {isInBlock && isDecodable && (
        <Block
          title="What it did"
          resources={[decoded]}
          skeleton={<Skeleton height={STEPS_HEIGHT} />}
        >
          {(transaction) => (
            <div class="panel-body">
              <DecodedInstructions decoded={transaction} />
            </div>
          )}
        </Block>
      )}
      {outcome.data?.status === 'landed' && decoded.data !== undefined && (
        <PositionsBlocks outcome={outcome.data} decoded={decoded.data} />
      )}
    </div>
  );
}

/** Of the height in the URL, with which a transaction that is in no block can be said to have expired. */
function useFinalOutcome(signature: string) {
  const height = query.value.get('lastValidBlockHeight') ?? '';
  const [pollMs, setPollMs] = useState(POLL_MS);
  const outcome = useResource(
    apiRequest('GET /transactions/{signature}', {
      path: { signature },
      query: /^\d{1,20}$/.test(height) ? { lastValidBlockHeight: height } : {},
    }),
    { pollMs },
  );
  const isSettled = outcome.data?.isFinal === true;
  useEffect(() => setPollMs(isSettled ? 0 : POLL_MS), [isSettled]);
  return outcome;
}
