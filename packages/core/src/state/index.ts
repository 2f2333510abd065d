export {
  type AccountKind,
  type ProgramKind,
  programKinds,
  recogniseAccount,
} from './account-kinds.ts';
export type { Selection } from './account-store.ts';
export type { ClusterReader, HeldBytes } from './cluster-reader.ts';
export { ClusterState } from './cluster-state.ts';
