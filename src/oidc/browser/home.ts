import { rootOf } from '../../web/site.ts'
import type { Provider } from '../provider.ts'

/** The page that is shown when no particular one was asked for. */
export function homeOf(provider: Pick<Provider, 'config' | 'pages'>): string {
  return rootOf(provider) + (provider.pages?.home ?? '/applications')
}
