import type { FC, PropsWithChildren } from 'hono/jsx'

/** What went wrong, or may: read out at once. */
export const Warning: FC<PropsWithChildren> = ({ children }) => (
  <p class="warn" role="alert">
    {children}
  </p>
)
