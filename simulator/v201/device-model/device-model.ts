import type { Payload } from '../../../src/ocpp/translate/payload.ts'
import type { Effect, EffectName } from '../../commands/setting-effects.ts'
import { valueFault } from '../../model/value-rules.ts'
import {
  type AttributeType,
  characteristics,
  componentKey,
  nameOf,
  type VariableDeclaration,
  type VariableName,
  variableKey,
} from './variable.ts'

export interface VariableResult {
  readonly status:
    | 'Accepted'
    | 'Rejected'
    | 'UnknownComponent'
    | 'UnknownVariable'
    | 'NotSupportedAttributeType'
    | 'RebootRequired'
  readonly reason?: string
}

export interface KnownVariable {
  readonly declared: VariableDeclaration
  readonly name: VariableName
}

interface Attribute {
  value: string
  waiting?: string
}

interface Variable extends KnownVariable {
  readonly attributes: Map<AttributeType, Attribute>
}

export type DeviceModel = ReturnType<typeof createDeviceModel>

/** A declaration takes the place of an earlier one of the same name. */
export function createDeviceModel(
  declarations: readonly VariableDeclaration[],
  effects: Readonly<Partial<Record<EffectName, Effect>>>,
) {
  const variables = new Map<string, Variable>()
  for (const declared of declarations) {
    const name = nameOf(declared)
    const { value, others = {} } = declared
    const attributes = new Map<AttributeType, Attribute>([
      ['Actual', { value }],
      ...Object.entries(others).map(([type, other]) => [type as AttributeType, { value: other }] as const),
    ])
    variables.set(variableKey(name), { declared, name, attributes })
  }
  const components = new Set([...variables.values()].map(({ name }) => componentKey(name)))

  const attributeOf = (name: VariableName, type: string): VariableResult | (Variable & { attribute: Attribute }) => {
    const variable = variables.get(variableKey(name))
    if (!variable) return { status: components.has(componentKey(name)) ? 'UnknownVariable' : 'UnknownComponent' }
    const attribute = variable.attributes.get(type as AttributeType)
    return attribute ? { ...variable, attribute } : { status: 'NotSupportedAttributeType' }
  }
  const currentValue = ({ declared }: Variable, type: AttributeType, attribute: Attribute): string =>
    (type === 'Actual' ? declared.live?.() : undefined) ?? attribute.value

  return {
    get(name: VariableName, type: string): VariableResult & { readonly value?: string } {
      const found = attributeOf(name, type)
      if ('status' in found) return found
      if (found.declared.mutability === 'WriteOnly') return { status: 'Rejected', reason: 'WriteOnly' }
      return { status: 'Accepted', value: currentValue(found, type as AttributeType, found.attribute) }
    },
    set(name: VariableName, type: string, value: string): VariableResult {
      const found = attributeOf(name, type)
      if ('status' in found) return found
      const { declared, attribute } = found
      if (declared.mutability === 'ReadOnly') return { status: 'Rejected', reason: 'ReadOnly' }
      const effect = type === 'Actual' && declared.effect ? effects[declared.effect] : undefined
      const fault = valueFault(value, { dataType: 'string', ...declared })
      if (fault) return { status: 'Rejected', reason: fault }
      if (effect?.allows?.(value) === false) return { status: 'Rejected', reason: 'InvalidValue' }
      if (declared.needsReboot) {
        attribute.waiting = value
        return { status: 'RebootRequired' }
      }
      attribute.value = value
      effect?.apply(value)
      return { status: 'Accepted' }
    },
    find: (name: VariableName): KnownVariable | undefined => variables.get(variableKey(name)),
    hasComponent: (name: VariableName) => components.has(componentKey(name)),
    /** What it is now; write-only or not. */
    value(component: string, variable: string, instance?: string): string | undefined {
      const found = variables.get(
        variableKey(nameOf({ component, variable, value: '', ...(instance !== undefined && { instance }) })),
      )
      const actual = found?.attributes.get('Actual')
      return found && actual && currentValue(found, 'Actual', actual)
    },
    get variables(): readonly KnownVariable[] {
      return [...variables.values()]
    },
    /** An entry of NotifyReport. */
    reported({ name }: KnownVariable): Payload {
      const variable = variables.get(variableKey(name))
      if (!variable) return { ...name, variableAttribute: [] }
      const { mutability = 'ReadWrite', constant } = variable.declared
      return {
        ...name,
        variableAttribute: [...variable.attributes].map(([type, attribute]) => ({
          ...(type !== 'Actual' && { type }),
          ...(mutability !== 'WriteOnly' && { value: currentValue(variable, type, attribute) }),
          mutability,
          persistent: true,
          constant: constant === true,
        })),
        variableCharacteristics: characteristics(variable.declared),
      }
    },
    /** Applies settings that need a reboot. */
    booted(): void {
      for (const { declared, attributes } of variables.values()) {
        for (const [type, attribute] of attributes) {
          if (attribute.waiting === undefined) continue
          attribute.value = attribute.waiting
          delete attribute.waiting
          if (type === 'Actual' && declared.effect) effects[declared.effect]?.apply(attribute.value)
        }
      }
    },
  }
}

/** Of a summary: what an operator wants to know at a glance. */
const SUMMARY = new Set(['availabilitystate', 'problem', 'enabled', 'operationalstatus'])

export function ofBase(model: DeviceModel, base: string): readonly KnownVariable[] {
  if (base === 'FullInventory') return model.variables
  if (base === 'SummaryInventory') {
    return model.variables.filter(({ name }) => SUMMARY.has(name.variable.name.toLowerCase()))
  }
  return model.variables.filter(({ declared }) => declared.mutability !== 'ReadOnly')
}

export interface ReportRequest {
  readonly componentCriteria?: readonly string[]
  readonly componentVariable?: readonly (Pick<VariableName, 'component'> & Partial<Pick<VariableName, 'variable'>>)[]
}

/** Any of the criteria and any of the names; both where both are given. */
export function ofRequest(model: DeviceModel, wish: ReportRequest): readonly KnownVariable[] {
  const { componentCriteria: criteria, componentVariable: names } = wish
  return model.variables.filter(
    (variable) =>
      (!criteria || criteria.some((criterion) => meets(model, variable, criterion))) &&
      (!names || names.some((name) => isSelected(variable.name, name))),
  )
}

/** What a component does not tell of itself counts as true, but for a problem. */
function meets(model: DeviceModel, { name }: KnownVariable, criterion: string): boolean {
  const { value } = model.get({ component: name.component, variable: { name: criterion } }, 'Actual')
  return value === undefined ? criterion !== 'Problem' : value.toLowerCase() === 'true'
}

/** An absent member matches any. */
export function isSelected({ component, variable }: VariableName, desired: Partial<VariableName>): boolean {
  const { id, connectorId } = desired.component?.evse ?? {}
  return (
    isNamed(component, desired.component) &&
    isNamed(variable, desired.variable) &&
    (id === undefined || component.evse?.id === id) &&
    (connectorId === undefined || component.evse?.connectorId === connectorId)
  )
}

type Named = VariableName['variable']

function isNamed({ name, instance = '' }: Named, desired: Named | undefined): boolean {
  const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  return !desired || (isSame(name, desired.name) && isSame(instance, desired.instance ?? instance))
}
