CREATE TABLE `security_profile_jobs` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`security_profile` integer NOT NULL,
	`state` text NOT NULL,
	`step` text NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`due_at` integer,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `security_profile_jobs_due_at` ON `security_profile_jobs` (`due_at`);