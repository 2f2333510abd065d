import type { WorkerMessage } from './localnet-settings.ts';
import type { SimulationRecorder } from './simulation/simulate-cluster.ts';

/** So much may be on its way before the play waits for it to be written down. */
const MOST_ON_THE_WAY = 6;

/** A diarist in another thread. */
export class WorkerRecorder implements SimulationRecorder {
  readonly #tell: (news: WorkerMessage) => void;
  #onTheWay = 0;
  #onWritten: (() => void) | undefined;

  constructor(tell: (news: WorkerMessage) => void) {
    this.#tell = tell;
  }

  async begin(...[plan, facts]: Parameters<SimulationRecorder['begin']>): Promise<void> {
    this.#hand({ kind: 'begun', plan, facts });
    await this.#fewerThan(1);
  }

  async write(steps: Parameters<SimulationRecorder['write']>[0]): Promise<void> {
    this.#hand({ kind: 'steps', steps });
    await this.#fewerThan(MOST_ON_THE_WAY);
  }

  async end(): Promise<void> {
    this.#hand({ kind: 'ended' });
    await this.#fewerThan(1);
  }

  /** The other thread has written down one more. */
  written(): void {
    this.#onTheWay--;
    this.#onWritten?.();
  }

  #hand(news: WorkerMessage): void {
    this.#onTheWay++;
    this.#tell(news);
  }

  async #fewerThan(count: number): Promise<void> {
    while (this.#onTheWay >= count) {
      await new Promise<void>((resolve) => {
        this.#onWritten = resolve;
      });
    }
  }
}
