import type { Version } from '../../quirks/quirk.ts'

export interface Step {
  readonly kind: string
  readonly args: Readonly<Record<string, unknown>>
  readonly line: number
}

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly versions: readonly Version[]
  readonly connectors: number
  readonly vehicle?: string
  readonly quirks: readonly string[]
  readonly sampleSeconds?: number
  readonly steps: readonly Step[]
}
