// Draws how recall grew with the seconds of training on Gowalla: bench/results/gpu-quality.svg from gpu-quality.json.
//   node bench/gpu/draw-curves.mjs
import * as Plot from '@observablehq/plot'
import { readFileSync, writeFileSync } from 'node:fs'
import { drawChart } from '../../dist/figures/chart.js'
import { colour } from '../../dist/figures/theme.js'
import { createDocument } from '../../dist/node/dom.js'

const file = (name) => new URL(`../results/${name}`, import.meta.url)
const { results } = JSON.parse(readFileSync(file('gpu-quality.json'), 'utf8'))
const chosen = (loss) =>
  Object.entries(results)
    .filter(([name, { curve }]) => name.startsWith(loss) && curve)
    .map(([, result]) => result)
    .toSorted((a, b) => b.validation.recall - a.validation.recall)[0]
const runs = [
  { label: 'BPR', name: 'ips', ...chosen('bpr') },
  { label: 'softmax, 64 drawn', name: 'dr', ...chosen('softmax') },
]
const [bpr, softmax] = runs
const reached = softmax.curve.find(({ recall }) => recall >= bpr.validation.recall)
const points = runs.flatMap(({ label, name, curve }) => curve.map((point) => ({ ...point, label, name })))
const kept = ({ curve, bestEpoch }) => curve.find(({ epoch }) => epoch === bestEpoch)
const seconds = (point) => Math.round(point.seconds)
const four = (number) => number.toFixed(4)

const { svg } = drawChart(
  {
    name: 'gpu-quality',
    title: `Softmax reaches the best recall of BPR in ${seconds(reached)} seconds instead of ${seconds(kept(bpr))}`,
    subtitle:
      'LightGCN on nine tenths of the training clicks of Gowalla, on one NVIDIA H200: recall@20 on the other tenth, by seconds of training and judging.',
    caption: `Rings: the epochs that were kept (${runs.map(({ label, bestEpoch }) => `${label}: ${bestEpoch}`).join('; ')}).`,
    table: { columns: [], rows: [] },
    draw: () => ({
      marginLeft: 56,
      marginRight: 150,
      x: { label: 'seconds', domain: [0, bpr.curve.at(-1).seconds] },
      y: { label: 'recall@20, held-out clicks', grid: true, nice: true },
      marks: [
        Plot.line(points, {
          x: 'seconds',
          y: 'recall',
          z: 'label',
          stroke: (d) => colour(d.name),
          strokeWidth: 2,
        }),
        Plot.dot(
          runs.map((run) => ({ ...kept(run), name: run.name })),
          {
            x: 'seconds',
            y: 'recall',
            r: 5,
            stroke: (d) => colour(d.name),
            strokeWidth: 2,
            fill: colour('paper'),
          },
        ),
        Plot.text(
          runs.map(({ label, name, curve }) => ({ ...curve.at(-1), label, name })),
          {
            x: 'seconds',
            y: 'recall',
            text: (d) => `${d.label} ${four(d.recall)}`,
            textAnchor: 'start',
            dx: 10,
            fill: (d) => colour(d.name),
          },
        ),
      ],
    }),
  },
  { document: createDocument() },
)
writeFileSync(file('gpu-quality.svg'), svg)
