CREATE TABLE `password_changes` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`rotation_id` text NOT NULL,
	`account_id` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`password` text,
	`hash` text NOT NULL,
	`attempts` integer NOT NULL,
	`proof_by` integer,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `rotation_id`)
);
--> statement-breakpoint
CREATE INDEX `password_changes_rotation_id_state` ON `password_changes` (`rotation_id`,`state`);--> statement-breakpoint
CREATE INDEX `password_changes_due_at` ON `password_changes` (`due_at`);--> statement-breakpoint
CREATE TABLE `password_rotations` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`state` text NOT NULL,
	`selector` text NOT NULL,
	`chosen` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `password_rotations_state` ON `password_rotations` (`state`);--> statement-breakpoint
CREATE INDEX `password_rotations_account_id_state` ON `password_rotations` (`account_id`,`state`);