import type { FC, PropsWithChildren } from 'hono/jsx'

export const Warning: FC<PropsWithChildren> = ({ children }) => (
  <p class="warn" role="alert">
    {children}
  </p>
)
