import type { Payload } from '../../../src/ocpp/translate/payload.ts'
import type { EffectName } from '../../commands/setting-effects.ts'
import { type Given, typed, type ValueRules } from '../../model/value-rules.ts'

export type Mutability = 'ReadOnly' | 'WriteOnly' | 'ReadWrite'
export type AttributeType = 'Actual' | 'Target' | 'MinSet' | 'MaxSet'

/**
 * A variable of a 2.0.1 station with its attributes, their values as text.
 *
 * @example { component: 'OCPPCommCtrlr', variable: 'HeartbeatInterval', value: '300', unit: 's' }
 */
export interface VariableDeclaration extends Partial<ValueRules> {
  readonly component: string
  readonly componentInstance?: string
  readonly evseId?: number
  readonly connectorId?: number
  readonly variable: string
  readonly instance?: string
  /** Of the attribute Actual, when the station is made. */
  readonly value: string
  /** What Actual is now, where the station does not keep it as a setting. */
  readonly live?: () => string
  readonly effect?: EffectName
  /** Of the attributes that it has besides. */
  readonly others?: Partial<Readonly<Record<Exclude<AttributeType, 'Actual'>, string>>>
  /** ReadWrite, unless said. */
  readonly mutability?: Mutability
  readonly unit?: string
  /** A new value counts after the next boot. */
  readonly needsReboot?: true
  readonly constant?: true
  readonly monitored?: true
}

type Facts = Partial<Omit<VariableDeclaration, 'component' | 'variable' | 'value'>>

/** Declares variables of one component. */
export function component(name: string, common: Facts = {}) {
  return (variable: string, value: Given, facts: Facts = {}): VariableDeclaration => {
    return { component: name, variable, ...typed(value), ...common, ...facts }
  }
}

export interface VariableName {
  readonly component: {
    readonly name: string
    readonly instance?: string
    readonly evse?: { readonly id: number; readonly connectorId?: number }
  }
  readonly variable: { readonly name: string; readonly instance?: string }
}

export function nameOf(declared: VariableDeclaration): VariableName {
  const { component, componentInstance, evseId, connectorId, variable, instance } = declared
  return {
    component: {
      name: component,
      instance: componentInstance,
      ...(evseId !== undefined && { evse: { id: evseId, ...(connectorId !== undefined && { connectorId }) } }),
    },
    variable: { name: variable, ...(instance !== undefined && { instance }) },
  }
}

/** Names of the device model compare without case. */
export function componentKey({ component: { name, instance, evse } }: Pick<VariableName, 'component'>): string {
  return JSON.stringify([name.toLowerCase(), instance?.toLowerCase(), evse?.id, evse?.connectorId])
}

export function variableKey(name: VariableName): string {
  const { name: own, instance } = name.variable
  return `${componentKey(name)} ${JSON.stringify([own.toLowerCase(), instance?.toLowerCase()])}`
}

export function characteristics(declared: VariableDeclaration): Payload {
  const { dataType = 'string', unit, minLimit, maxLimit, valuesList, monitored } = declared
  return {
    dataType,
    unit,
    minLimit,
    maxLimit,
    ...(valuesList && { valuesList: valuesList.join(',') }),
    supportsMonitoring: monitored === true,
  }
}
