DROP INDEX `commands_search`;--> statement-breakpoint
CREATE TABLE `commands_search` (
	`charge_point` integer NOT NULL,
	`id` integer NOT NULL,
	`method` integer NOT NULL,
	`connector_id` integer,
	`transaction_id` text,
	`status` integer NOT NULL,
	PRIMARY KEY(`charge_point`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `commands_search` SELECT `charge_point`, `id`, `method`, `connector_id`, `transaction_id`, `status` FROM `commands` ORDER BY `charge_point`, `id`;--> statement-breakpoint
CREATE TABLE `journal` (
	`id` integer PRIMARY KEY NOT NULL,
	`first_command` integer,
	`documents` text NOT NULL
);
