import { describe, expect, test } from 'vitest';
import type { Instruction } from '../../src/base/instruction.ts';
import type { InstructionSet } from '../../src/base/instruction-set.ts';
import { U64_MAX } from '../../src/base/lamports.ts';
import { farmsInstructions } from '../../src/protocol/farms/instruction-set.ts';
import { FARMS_PROGRAM } from '../../src/protocol/farms/program.ts';
import { klendInstructions } from '../../src/protocol/klend/instruction-set.ts';
import { KLEND_PROGRAM } from '../../src/protocol/klend/program.ts';
import { kvaultInstructions } from '../../src/protocol/kvault/instruction-set.ts';
import { KVAULT_PROGRAM } from '../../src/protocol/kvault/program.ts';
import { splInstructions } from '../../src/protocol/spl/instruction-set.ts';
import { type FlowCall, lendingCalls } from '../support/flow-lending-calls.ts';
import { FlowScene, readCluster } from '../support/flow-scene.ts';
import { setupCalls } from '../support/flow-setup-calls.ts';
import { farmCalls, vaultCalls } from '../support/flow-vault-calls.ts';
import { walletCalls } from '../support/flow-wallet-calls.ts';
import { goldenCluster, goldenFlows } from '../support/golden.ts';

type Program = {
  readonly set: InstructionSet;
  readonly calls: Readonly<Record<string, FlowCall>>;
};

const ours: Readonly<Record<string, Program>> = {
  [KLEND_PROGRAM]: { set: klendInstructions, calls: { ...setupCalls, ...lendingCalls } },
  [KVAULT_PROGRAM]: { set: kvaultInstructions, calls: vaultCalls },
  [FARMS_PROGRAM]: { set: farmsInstructions, calls: farmCalls },
};

function programOf({ programAddress }: Instruction): Program | undefined {
  const set = splInstructions(programAddress);
  if (set === undefined) return ours[programAddress];
  return { set, calls: walletCalls[programAddress] ?? {} };
}

/** What an instruction changes for those that follow. */
const effects: Readonly<
  Record<string, (scene: FlowScene, args: Readonly<Record<string, unknown>>) => void>
> = {
  depositReserveLiquidityAndObligationCollateral: (scene) => scene.opened('deposit'),
  depositReserveLiquidityAndObligationCollateralV2: (scene) => scene.opened('deposit'),
  borrowObligationLiquidity: (scene) => scene.opened('borrow'),
  borrowObligationLiquidityV2: (scene) => scene.opened('borrow'),
  repayObligationLiquidityV2: (scene, { liquidityAmount }) => {
    if (liquidityAmount === U64_MAX) scene.closed('repay');
  },
  withdrawObligationCollateralAndRedeemReserveCollateralV2: (scene, { collateralAmount }) => {
    if (collateralAmount === U64_MAX) scene.closed('withdraw');
  },
  requestElevationGroup: (scene, { elevationGroup }) => {
    scene.elevationGroup = Number(elevationGroup);
  },
};

const setting = { cluster: readCluster(), accounts: goldenCluster().accounts };
const flows = goldenFlows();

describe('instructions of the flows', () => {
  test('there are 49 flows', () => {
    expect(flows).toHaveLength(49);
  });

  test.each(flows)('$name: every instruction is built from what the flow means', (flow) => {
    const scene = new FlowScene(flow, setting);
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
      built.push(call(scene, { instruction, args, before: built }));
      effects[codec.name]?.(scene, args);
    }
    expect(built).toEqual(flow.instructions);
  });
});
