/** Currents on the phases of a connection: how an EVSE is wired to it, and watts as amps (GROUP-P1, GROUP-P2). */

/** One value for each phase of the connection, L1 first; a connection of one phase has the others at 0. */
export type PerPhase = readonly [number, number, number]

export const NO_AMPS: PerPhase = [0, 0, 0]

/**
 * The connection's phases that an EVSE may load, 0 for L1. One of a single phase whose rotation nobody told may be on
 * any of them, so it counts on all (GROUP-P1).
 */
export function phasesOf(rotation: string | undefined, evsePhases: 1 | 3, connectionPhases: 1 | 3): readonly number[] {
  if (connectionPhases === 1) return [0]
  if (evsePhases === 3) return [0, 1, 2]
  // OCPP's PhaseRotation: `STR` has L1 of the connector on S of the connection; `Unknown` and others say nothing.
  const first = ROTATION.test(rotation ?? '') ? 'RST'.indexOf(rotation?.charAt(0) ?? '') : -1
  return first < 0 ? [0, 1, 2] : [first]
}

/** `S` alone is that of one phase. */
const ROTATION = /^[RST]{1,3}$/

/** GROUP-P2: watts of all phases together. */
export function ampsOfWatts(watts: number, phases: number, voltage: number): number {
  return watts / (voltage * phases)
}

/** Amps of each phase, or watts of all of them. */
export interface Power {
  readonly amps?: number | undefined
  readonly watts?: number | undefined
}

/** What a limit, a load or an order says, in amps of each phase. */
export function ampsOf({ amps, watts = 0 }: Power, phases: 1 | 3, voltage: number): number {
  return amps ?? ampsOfWatts(watts, phases, voltage)
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
