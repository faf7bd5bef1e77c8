ALTER TABLE "installed_certificates" ADD COLUMN "grant_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "limit_groups" ADD COLUMN "grant_id" text COLLATE "C";
