import { createInstructionSet } from '../../base/solana/instruction-set.ts';
import { refreshPriceList } from './instructions/refresh-price-list.ts';

/** Instructions of administrators, and refreshes with signed messages of publishers. Without a codec. */
const others = {
  afaf6d1f0d989bed: 'initialize',
  '6109147348ff048c': 'refreshChainlinkPrice',
  '7a2fb185b1235d76': 'refreshPythLazerPrice',
  '9e519592ce9a5b38': 'updateMappingAndMetadata',
  '65d81c5c9a4f31bb': 'resetTwap',
  '720e69cdd8941e4b': 'setAdminCached',
  '6595613a304f1069': 'approveAdminCached',
  d8dae03c171fc1f3: 'createMintMap',
  '92d4cbefbf682666': 'closeMintMap',
  '88306792e361576c': 'resumeChainlinkxPrice',
  '52b6a6efabbc850e': 'freezePrice',
  b64c27ac7f2c26cb: 'setEmergencyCouncil',
  bf98445add5df51e: 'setResumeAuthority',
};

export const scopeInstructions = createInstructionSet([refreshPriceList], others);
