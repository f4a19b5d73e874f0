import type { StaffRole } from '@insurance-verification/schema';
import { aPage, type WatchedPage } from '../ground/a-page.ts';
import type { TestService } from '../ground/a-service.ts';
import { openLink } from '../ground/open-link.ts';

/** A page of somebody with this role, signed in, whose clock the test turns. */
export async function signedIn(service: TestService, role: StaffRole): Promise<WatchedPage> {
  const watched = await aPage(service.url);
  await watched.page.clock.install();
  await openLink(watched.page, await service.link([role]));
  await watched.page.getByRole('banner').waitFor();
  return watched;
}
