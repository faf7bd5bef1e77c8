/** A charge point of either version that keeps the settings that it is sent, and reports them when it is asked. */
import type { Json } from './house.ts'
import type { StationOptions } from './station.ts'

type Setting = Json & { readonly variable: { readonly name: string } }

/** Without the instances and components of 2.0.1. @param counted called with each method that it obeys */
export function obedient(
  values: Map<string, string>,
  counted: (method: string) => void = () => undefined,
): NonNullable<StationOptions['respond']> {
  const answerTo = (method: string, request: Json): Json | undefined => {
    switch (method) {
      case 'ChangeConfiguration':
        values.set(String(request.key), String(request.value))
        return { status: 'Accepted' }
      case 'GetConfiguration': {
        const keys = (request.key as string[] | undefined) ?? [...values.keys()]
        const known = keys.filter((key) => values.has(key))
        return {
          configurationKey: known.map((key) => ({ key, readonly: false, value: values.get(key) })),
          unknownKey: keys.filter((key) => !values.has(key)),
        }
      }
      case 'SetVariables': {
        const settings = request.setVariableData as readonly Setting[]
        for (const { variable, attributeValue } of settings) values.set(variable.name, String(attributeValue))
        return {
          setVariableResult: settings.map(({ component, variable }) => ({
            component,
            variable,
            attributeStatus: 'Accepted',
          })),
        }
      }
      case 'GetVariables':
        return {
          getVariableResult: (request.getVariableData as readonly Setting[]).map(({ component, variable }) => ({
            component,
            variable,
            attributeStatus: 'Accepted',
            attributeValue: values.get(variable.name) ?? '',
          })),
        }
      default:
        return undefined
    }
  }
  return (method, request) => {
    const answer = answerTo(method, request)
    if (answer) counted(method)
    return answer
  }
}
