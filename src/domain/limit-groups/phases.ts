/** Currents on the phases of a connection: how an EVSE is wired to it, and watts as amps (GROUP-P1, GROUP-P2). */
import type { ConnectorWiring } from '../charging/records.ts'

/** One value for each phase of the connection, L1 first; a connection of one phase has the others at 0. */
export type PerPhase = readonly [number, number, number]

export const NO_AMPS: PerPhase = [0, 0, 0]

export interface Wired {
  /** The connection's phases that it may load, 0 for L1. */
  readonly phases: readonly number[]
  /** On how many of them it draws at once, at least. */
  readonly phaseCount: number
  readonly isMixed?: true | undefined
}

/** Each connector may be in use (GROUP-P1). @param connectors described ones @param leafPhases of the group above it */
export function wiredTo(
  connectors: readonly Pick<ConnectorWiring, 'phaseRotation' | 'phases'>[],
  leafPhases: 1 | 3,
): Wired {
  const all = connectors.length > 0 ? connectors : [{}]
  const counts = all.map(({ phases = 3 }) => Math.min(phases, leafPhases))
  const phases = new Set(all.flatMap(({ phaseRotation }, at) => loaded(phaseRotation, counts[at] ?? leafPhases)))
  const phaseCount = Math.min(...counts)
  const isMixed = counts.some((count) => count > phaseCount) && { isMixed: true as const }
  return { phases: [...phases].sort(), phaseCount, ...isMixed }
}

/** Fewer phases of unknown rotation may be any of them, so the EVSE counts on all. */
function loaded(rotation: string | undefined, phaseCount: number): readonly number[] {
  // OCPP's PhaseRotation: `STR` has L1 of the connector on S of the connection; `Unknown` and others say nothing.
  const reported = ROTATION.test(rotation ?? '') ? [...(rotation ?? '')].slice(0, phaseCount) : []
  const isReported = phaseCount < 3 && reported.length === phaseCount
  return isReported ? reported.map((letter) => 'RST'.indexOf(letter)) : [0, 1, 2]
}

/** `S` alone is that of one phase. */
const ROTATION = /^[RST]{1,3}$/

/** Amps of each phase, or watts of all of them together (GROUP-P2). */
export interface Power {
  readonly amps?: number | undefined
  readonly watts?: number | undefined
}

export function ampsOf({ amps, watts = 0 }: Power, phases: 1 | 3, voltage: number): number {
  return amps ?? watts / (voltage * phases)
}

export function onPhases(amps: number, phases: readonly number[]): PerPhase {
  return [0, 1, 2].map((phase) => (phases.includes(phase) ? amps : 0)) as unknown as PerPhase
}

export function sum(one: PerPhase, other: PerPhase): PerPhase {
  return [one[0] + other[0], one[1] + other[1], one[2] + other[2]]
}

/** OCPP's limits have one decimal: what is given is rounded down, so that a sum never grows by it. */
export function tenthsDown(amps: number): number {
  return Math.max(0, Math.floor(amps * 10 + 1e-6) / 10)
}
