ALTER TABLE "log_requests" ADD COLUMN "grant_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "security_profile_jobs" ADD COLUMN "grant_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "grant_id" text COLLATE "C";
