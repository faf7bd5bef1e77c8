/** Variables of the device model on the wire of 2.0.1 (B05 to B08). */
import type { ReportedValue, VariableName } from '../../domain/ports/blocks.ts'
import { isObject, list, number, object, oneOf, type Payload, placeNumber, text } from '../translate/payload.ts'

type WireName = Readonly<Record<'component' | 'variable', Payload>>

export function wireName({ component, variable }: Pick<VariableName, 'component' | 'variable'>): WireName {
  const { name, instance, evseId, connectorId } = component
  const evse = evseId !== undefined && {
    evse: { id: evseId, ...(connectorId !== undefined && { connectorId }) },
  }
  return {
    component: { name, ...(instance !== undefined && { instance }), ...evse },
    variable: { name: variable.name, ...(variable.instance !== undefined && { instance: variable.instance }) },
  }
}

/** Undefined without a name. */
export function readName(entry: Payload, attribute: unknown): VariableName | undefined {
  const component = object(entry.component)
  const variable = object(entry.variable)
  const [componentName, variableName] = [text(component.name), text(variable.name)]
  if (componentName === undefined || variableName === undefined) return undefined
  const evse = object(component.evse)
  const [evseId, connectorId] = [placeNumber(evse.id), placeNumber(evse.connectorId)]
  const [instance, variableInstance] = [text(component.instance), text(variable.instance)]
  return {
    component: {
      name: shortName(componentName),
      ...(instance !== undefined && { instance: shortName(instance) }),
      evseId,
      ...(evseId !== undefined && connectorId !== undefined && { connectorId }),
    },
    variable: {
      name: shortName(variableName),
      ...(variableInstance !== undefined && { instance: shortName(variableInstance) }),
    },
    attribute: attributeWord(attribute) ?? 'Actual',
  }
}

const ATTRIBUTES = ['Actual', 'Target', 'MinSet', 'MaxSet'] as const
const attributeWord = oneOf(ATTRIBUTES)

export function reportData(request: Payload): readonly ReportedValue[] {
  return list(request.reportData)
    .filter(isObject)
    .flatMap((entry) => {
      const { unit, dataType, minLimit, maxLimit, valuesList, supportsMonitoring } = object(
        entry.variableCharacteristics,
      )
      const characteristics = {
        ...present('unit', shortText(unit)),
        ...present('dataType', shortText(dataType)),
        ...present('minLimit', number(minLimit)),
        ...present('maxLimit', number(maxLimit)),
        ...present('valuesList', valueText(valuesList)),
        ...present('supportsMonitoring', flagOf(supportsMonitoring)),
      }
      const attributes = list(entry.variableAttribute).filter(isObject).slice(0, ATTRIBUTES.length)
      return (attributes.length > 0 ? attributes : [{}]).flatMap((attribute: Payload) => {
        const name = readName(entry, attribute.type)
        if (!name) return []
        const { mutability, persistent, constant } = attribute
        return [
          {
            ...name,
            ...present('value', valueText(attribute.value)),
            mutability: shortText(mutability) ?? 'ReadWrite',
            ...present('persistent', flagOf(persistent)),
            ...present('constant', flagOf(constant)),
            ...characteristics,
          },
        ]
      })
    })
}

/** The answer to GetVariables, and in its shape the one to SetVariables. */
export function readResults(results: unknown): readonly { readonly name: VariableName; readonly result: Payload }[] {
  return list(results)
    .filter(isObject)
    .flatMap((result) => {
      const name = readName(result, result.attributeType)
      return name ? [{ name, result }] : []
    })
}

export function valuesRead(response: Payload): readonly ReportedValue[] {
  return readResults(response.getVariableResult)
    .filter(({ result }) => statusOf(result) === 'accepted')
    .map(({ name, result }) => ({ ...name, value: valueText(result.attributeValue) ?? '' }))
}

export function statusOf(result: Payload): string | undefined {
  return text(result.attributeStatus)?.toLowerCase()
}

/** Values of NotifyEvent (N07). */
export function valuesOfEvents(request: Payload): readonly ReportedValue[] {
  return list(request.eventData)
    .filter(isObject)
    .flatMap((event) => {
      const name = readName(event, 'Actual')
      const value = valueText(event.actualValue)
      return name && value !== undefined ? [{ ...name, value }] : []
    })
}

/** The specified limit. */
const VALUE_CHARACTERS = 2500
const NAME_CHARACTERS = 100

export function valueText(value: unknown): string | undefined {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.replaceAll('\u0000', '').slice(0, VALUE_CHARACTERS) : undefined
}

function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function shortText(value: unknown): string | undefined {
  return text(value)?.slice(0, NAME_CHARACTERS)
}

function shortName(name: string): string {
  return name.slice(0, NAME_CHARACTERS)
}

function present<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [N in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: Value }
}
