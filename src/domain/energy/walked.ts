/**
 * The walk over a meter's register, walked once for all questions of a message and, while its samples come in order,
 * once for all messages: each new sample takes it a step further. It is found again by what it was walked over, so a
 * meter that something else happened to is walked anew.
 */
import { advance, newWalk, type Walk } from './meter-register.ts'
import { inLine } from './points.ts'
import { type Entry, isUnnamed, orderOf } from './readings.ts'
import { type MeterState, WALKED, type Walked } from './state.ts'

/** Everything the register says: samples before Transaction.End, then that, which beats periodic ones (ENERGY-N2). */
export function walkRegister(meter: MeterState): Readonly<Walk> {
  const known = meter[WALKED]
  if (known && isOver(known, meter)) return known.walk
  const points = inLine(meter.register)
  const walk = walkAnew(meter, points)
  const { register, begin, end, folded, maxPowerW, boots } = meter
  meter[WALKED] = { register, begin, end, folded, maxPowerW, boots, isInLine: points === register, walk }
  return walk
}

/** @param register the meter's with `point`, which is later than all in it, at its end */
export function walkOn(meter: MeterState, register: readonly Entry[], point: Entry): void {
  const known = meter[WALKED]
  if (!known?.isInLine || !isOver(known, meter) || meter.end.length > 0) return
  const last = meter.register.at(-1)
  // What did not name the transaction counts otherwise once something behind it does.
  if (last && isUnnamed(last) !== isUnnamed(point)) return
  advance(known.walk, point, meter)
  known.register = register
}

function isOver(known: Walked, { register, begin, end, folded, maxPowerW, boots }: MeterState): boolean {
  return (
    known.register === register &&
    known.begin === begin &&
    known.end === end &&
    known.folded === folded &&
    known.maxPowerW === maxPowerW &&
    known.boots === boots
  )
}

function walkAnew(meter: MeterState, points: readonly Entry[]): Walk {
  const walk = meter.folded ? { ...meter.folded.walk } : newWalk()
  const end = meter.end[0]
  const lastNamed = lastNamedOf(points)
  let index = 0
  for (const point of points) {
    if (!end || !isAfter(point, end)) advance(walk, point, meter, index < lastNamed)
    index++
  }
  for (const entry of meter.end) advance(walk, entry, meter)
  return walk
}

function lastNamedOf(points: readonly Entry[]): number {
  for (let index = points.length - 1; index >= 0; index--) {
    const point = points[index]
    if (point && !isUnnamed(point)) return index
  }
  return -1
}

/** By the clock where both are of one message, else by the station's order. */
function isAfter(point: Entry, end: Entry): boolean {
  const order = orderOf(point) - orderOf(end)
  return order > 0 || (order === 0 && point[0] >= end[0])
}
