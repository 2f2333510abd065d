import type { ComponentChildren } from 'preact';
import type { Resource } from '../api/resource.ts';
import { Block } from '../components/block.tsx';
import { Empty } from '../components/empty.tsx';
import { type Range, RangeTabs } from '../components/range.tsx';
import { Tabs } from '../components/tabs.tsx';
import { choice } from '../routing/location.ts';
import { Chart, type ChartProps } from './chart.tsx';
import { ChartSkeleton } from './chart-skeleton.tsx';

type ChartBlockProps = Omit<ChartProps, 'gaps' | 'height'> & {
  readonly title: string;
  /** What the chart shows is from; their gaps are gaps of the chart. */
  readonly resources: readonly Resource<unknown>[];
  /** Pixels. */
  readonly height: number;
  /** Choice of the range, in the first block of those that share it. */
  readonly range?: Range;
  readonly views?: ChartViews<string>;
  /** Above the chart. */
  readonly intro?: ComponentChildren;
  /** What it means that there are no points. */
  readonly empty?: string;
};

/** A block with a chart of what was recorded: choices of figure and range, and the actions of the chart. */
export function ChartBlock(props: ChartBlockProps) {
  const { title, resources, range, views, intro, empty = NOT_RECORDED, ...chart } = props;
  return (
    <Block
      title={title}
      resources={resources}
      skeleton={<ChartSkeleton height={chart.height} />}
      actions={
        <div class="chart-actions">
          {views !== undefined && (
            <Tabs label="Figure" tabs={views.tabs} value={views.value} onChange={views.set} />
          )}
          {range !== undefined && <RangeTabs range={range} />}
        </div>
      }
    >
      {() =>
        chart.data.positions.length === 0 ? (
          <Empty title="Nothing recorded in this range">{empty}</Empty>
        ) : (
          <>
            {intro}
            <Chart {...chart} gaps={resources.flatMap(gapsOf)} />
          </>
        )
      }
    </Block>
  );
}

const NOT_RECORDED = 'History begins when the server starts to record.';

export type ChartViews<Value extends string> = {
  readonly tabs: readonly { readonly value: Value; readonly title: string }[];
  readonly value: Value;
  readonly title: string;
  /** A method, so that the views of any chart fit a block. */
  set(value: Value): void;
};

/** The figure that a chart shows, which the URL holds as `<id>.view`. */
export function useViews<Value extends string>(
  id: string,
  tabs: ChartViews<Value>['tabs'],
): ChartViews<Value> {
  const { value, set } = choice(
    `${id}.view`,
    tabs.map((tab) => tab.value),
  );
  return { tabs, value, set, title: tabs.find((tab) => tab.value === value)?.title ?? '' };
}

const gapsOf = ({ freshness }: Resource<unknown>) => freshness.flatMap(({ gaps }) => gaps);
