import { describe, expect, test } from 'vitest';
import { U64_MAX } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { InstructionSet } from '#core/base/solana/instruction-set.ts';
import { farmsInstructions } from '#core/protocol/farms/instruction-set.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { klendInstructions } from '#core/protocol/klend/instruction-set.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { kvaultInstructions } from '#core/protocol/kvault/instruction-set.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { splInstructions } from '#core/protocol/spl/instruction-set.ts';
import { FlowContext, readGoldenClusterFile } from '../support/flows/flow-context.ts';
import {
  type FlowInstructionBuilder,
  flowLendingInstructions,
} from '../support/flows/flow-lending-instructions.ts';
import { flowSetupInstructions } from '../support/flows/flow-setup-instructions.ts';
import {
  flowFarmInstructions,
  flowVaultInstructions,
} from '../support/flows/flow-vault-instructions.ts';
import { flowWalletInstructions } from '../support/flows/flow-wallet-instructions.ts';
import { goldenCluster, goldenFlows } from '../support/golden/golden.ts';
import { pinned, testPinned } from '../support/golden/pinned-figures.ts';

type Program = {
  readonly set: InstructionSet;
  readonly calls: Readonly<Record<string, FlowInstructionBuilder>>;
};

const codecs: Readonly<Record<string, Program>> = {
  [KLEND_PROGRAM]: {
    set: klendInstructions,
    calls: { ...flowSetupInstructions, ...flowLendingInstructions },
  },
  [KVAULT_PROGRAM]: { set: kvaultInstructions, calls: flowVaultInstructions },
  [FARMS_PROGRAM]: { set: farmsInstructions, calls: flowFarmInstructions },
};

function programOf({ programAddress }: Instruction): Program | undefined {
  const set = splInstructions(programAddress);
  if (set === undefined) return codecs[programAddress];
  return { set, calls: flowWalletInstructions[programAddress] ?? {} };
}

/** The effects of an instruction on later instructions. */
const effects: Readonly<
  Record<string, (context: FlowContext, args: Readonly<Record<string, unknown>>) => void>
> = {
  depositReserveLiquidityAndObligationCollateral: (context) => context.openPosition('deposit'),
  depositReserveLiquidityAndObligationCollateralV2: (context) => context.openPosition('deposit'),
  borrowObligationLiquidity: (context) => context.openPosition('borrow'),
  borrowObligationLiquidityV2: (context) => context.openPosition('borrow'),
  repayObligationLiquidityV2: (context, { liquidityAmount }) => {
    if (liquidityAmount === U64_MAX) context.closePosition('repay');
  },
  withdrawObligationCollateralAndRedeemReserveCollateralV2: (context, { collateralAmount }) => {
    if (collateralAmount === U64_MAX) context.closePosition('withdraw');
  },
  requestElevationGroup: (context, { elevationGroup }) => {
    context.elevationGroup = Number(elevationGroup);
  },
};

const setting = { cluster: readGoldenClusterFile(), accounts: goldenCluster().accounts };
const flows = goldenFlows();

describe('instructions of the flows', () => {
  testPinned('there are 49 flows', () => {
    expect(flows).toHaveLength(pinned.flows.all);
  });

  test.each(flows)('$name: builds every instruction of the flow', (flow) => {
    const context = new FlowContext(flow, setting);
    const built: Instruction[] = [];
    for (const instruction of flow.instructions) {
      const program = programOf(instruction);
      const { programAddress, data, accounts } = instruction;
      const codec = program?.set.codecOf(data);
      const addresses = accounts.map(({ address }) => address);
      const args = codec?.decode(programAddress, { data, accounts: addresses }).args ?? {};
      const call = program?.calls[codec?.name ?? ''];
      if (codec === undefined || call === undefined)
        throw new Error(`${programAddress} is unknown`);
      built.push(call(context, { instruction, args, before: built }));
      effects[codec.name]?.(context, args);
    }
    expect(built).toEqual(flow.instructions);
  });
});
